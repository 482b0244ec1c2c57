import { batchCarbonIntensity, gpuCarbonIntensity } from '../../../coordinator/carbon/gpu-carbon-intensity.ts';
import { ensureCarbon } from '../../../coordinator/carbon/ensure-carbon.ts';
import { hotCarbon } from '../../../coordinator/carbon/hot-carbon.ts';
import { fillMarket } from '../../../coordinator/commands/with-market.ts';
import { hotMarket } from '../../../coordinator/market/hot-market.ts';
import { systemContext } from '../../../coordinator/platform/context.ts';
import { serveBoth } from './server-process.ts';

/** The floor does the same look-up in memory, without credential, checks and envelope. */
await serveBoth((platform) => {
  const filled = fillMarket(systemContext(platform, 'bench')).then(() =>
    ensureCarbon(systemContext(platform, 'bench')),
  );
  const [market, carbon] = [hotMarket(platform), hotCarbon(platform)];
  return (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', async () => {
      await filled;
      const known = { market: await market(), carbon: await carbon(), at: new Date() };
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8'));
      const data = 'data' in body ? batchCarbonIntensity(known, body.data) : gpuCarbonIntensity(known, body);
      const answer = Buffer.from(JSON.stringify({ data }));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
    });
  };
});
