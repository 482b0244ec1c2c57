import { predictRequest } from '../../../coordinator/contract/prediction.ts';
import { hotMarket } from '../../../coordinator/market/hot-market.ts';
import { hotModel } from '../../../coordinator/prediction/hot-model.ts';
import { predict } from '../../../coordinator/prediction/predict.ts';
import { serveBoth } from '../coordinator/server-process.ts';

/**
 * The floor queries the same model in memory, without authentication and response envelope; it parses the body by the
 * contract, for its defaults.
 */
await serveBoth((platform) => {
  const [market, model] = [hotMarket(platform), hotModel(platform)];
  return (request, response) => {
    const answer = async (body: Buffer): Promise<void> => {
      const asked = predictRequest.parse(JSON.parse(body.toString('utf8')));
      const content = JSON.stringify({ data: predict(await market(), await model(), asked) });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) });
      response.end(content);
    };
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => void answer(Buffer.concat(pieces)));
  };
});
