import { batchCarbonIntensity, gpuCarbonIntensity } from '../../../coordinator/carbon/gpu-carbon-intensity.ts';
import { ensureCarbon } from '../../../coordinator/carbon/store-editions.ts';
import { hotCarbon } from '../../../coordinator/carbon/hot-carbon.ts';
import { fillMarket } from '../../../coordinator/commands/open-platform.ts';
import { hotMarket } from '../../../coordinator/market/hot-market.ts';
import { systemContext } from '../../../coordinator/platform/context.ts';
import { serveBoth } from './server-process.ts';

/** The floor does the same look-up in memory, without authentication, validation and response envelope. */
await serveBoth((platform) => {
  const filled = fillMarket(systemContext(platform, 'bench')).then(() =>
    ensureCarbon(systemContext(platform, 'bench')),
  );
  const [market, carbon] = [hotMarket(platform), hotCarbon(platform)];
  return (request, response) => {
    const answer = async (body: Buffer): Promise<void> => {
      await filled;
      const known = { market: await market(), carbon: await carbon(), at: new Date() };
      const asked = JSON.parse(body.toString('utf8'));
      const data = 'data' in asked ? batchCarbonIntensity(known, asked.data) : gpuCarbonIntensity(known, asked);
      const content = Buffer.from(JSON.stringify({ data }));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': content.length });
      response.end(content);
    };
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => void answer(Buffer.concat(pieces)));
  };
});
