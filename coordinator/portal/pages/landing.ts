import { linesOf } from '../../jobs/job-token.ts';
import { maySignUp } from '../../accounts/sign-up/ask-to-sign-up.ts';
import { samplePdf } from '../../reports/sample-report.ts';
import { command } from '../components/copyable.ts';
import { dataTable } from '../components/data-table.ts';
import { assetUrl } from '../frame/assets.ts';
import { html } from '../frame/html.ts';
import { page, seeOther } from '../frame/layout.ts';
import { wholeListing, type Listing } from '../frame/listing.ts';
import { get, list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { MEASURED, realCards, realFigures, type RealFigure } from './real-cards.ts';

const anyone = { who: 'public' } as const;

export const landingPages: readonly PageRoute[] = [
  get('/', anyone, async (visit) => (visit.member ? seeOther('/jobs') : landing(visit))),
  get('/sample-report.pdf', { ...anyone, isPlain: true }, sample),
  ...list('/method', anyone, { table: realCards, load: async () => wholeListing(realFigures), show: method }),
];

const SAMPLE = '/sample-report.pdf';
/** Pixels of the picture, so that nothing shifts when it arrives; `sample-page.test.ts` makes it. */
export const SAMPLE_PAGE = { width: 827, height: 1170 };

/** Figures that a buyer asks for first. */
const first = new Set(['bf16 product', 'fp8 product', 'fp64 product', 'Memory, triad', 'Host to device']);

async function landing(visit: Visit): Promise<Response> {
  const lines = await linesOf(visit.context, { jobId: 'JOB', token: 'JOB_TOKEN', nodeCount: 1 });
  return page(visit, {
    title: 'Are your GPUs what you paid for?',
    facts: 'One command on each machine, and a report that decides.',
    actions: html`<a class="btn main" href="/sign-in">Sign in</a>
      <a class="btn" href="${SAMPLE}">See a sample report</a>
      ${maySignUp(visit.context) ? html`<a class="btn" href="/sign-up">Sign up</a>` : null}`,
    body: html`<div class="two landing">
      <figure>
        <a href="${SAMPLE}"
          ><img
            src="${assetUrl('sample-page.png')}"
            width="${SAMPLE_PAGE.width}"
            height="${SAMPLE_PAGE.height}"
            alt="Page 1 of a sample report on 16 GPUs: its verdict, the figures of each node, and the GPU that is behind the others"
        /></a>
        <figcaption class="small muted">Page 1 of a sample report on 16 GPUs. Its figures are simulated.</figcaption>
      </figure>
      <div>
        <h2>What real cards reach</h2>
        ${dataTable(visit, { caption: MEASURED, table: realCards, listing: wholeListing(realFigures.filter(({ label }) => first.has(label))), shape: 'scroll', files: '/method', ifEmpty: null })}
        <p>
          <a href="/method">How these figures are measured</a>, and
          <a href="/health-rules">which faults are looked for</a>.
        </p>
        <h2>Three steps</h2>
        <ol class="three">
          <li>Create a job for 1 to 256 machines.</li>
          <li>
            Paste its line on each machine. No installation, and no GPU is needed to try it: a processor is measured as
            well.${command(lines.download ?? lines.binary, 'The line of a job, with its token in place of JOB_TOKEN')}
          </li>
          <li>Watch the figures arrive, then read the report: what is good, what is bad, and what to do about it.</li>
        </ol>
      </div>
    </div>`,
  });
}

async function sample(): Promise<Response> {
  return new Response(new Uint8Array(await samplePdf()), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'inline; filename="gpumark-sample-report.pdf"',
    },
  });
}

function method(visit: Visit, listing: Listing<RealFigure>): Promise<Response> {
  return page(visit, {
    title: 'How it is measured',
    body: html`<div class="narrow-text">
      <p>
        Every figure comes with its number of samples and their spread. A figure that could not be measured has the
        reason in its place, and one whose result is wrong is not shown.
      </p>
      <h2>Figures</h2>
      <dl>
        <dt><strong>Products</strong> (bf16, fp16, fp8, TF32, fp32, fp64)</dt>
        <dd>
          Large matrices of random numbers, multiplied by the vendor’s library and by kernels of our own, and checked
          against a reference in double precision. A sustained load lasts until power and clock have settled; a brief
          one is marked. Counted: operations by second of wall.
        </dd>
        <dt><strong>Multiply-add</strong></dt>
        <dd>The arithmetic units alone, from registers, at the clock that is counted meanwhile.</dd>
        <dt><strong>Memory</strong></dt>
        <dd>
          The triad a = b + s × c in double precision on arrays of several times the cache; the bytes that it has to
          move, 24 for each element.
        </dd>
        <dt><strong>Transfers</strong></dt>
        <dd>Pinned host memory to the GPU and back; from GPU to GPU of a node, each pair and both directions.</dd>
        <dt><strong>Links between nodes</strong></dt>
        <dd>
          In rounds of pairs, so that no node serves two links at once; slow links again, alone on the network. Then
          NCCL or RCCL over all nodes.
        </dd>
        <dt><strong>Health</strong></dt>
        <dd>What the machine itself reports before and after: <a href="/health-rules">all rules</a>.</dd>
      </dl>
      <h2>Real cards</h2>
      ${dataTable(visit, { caption: MEASURED, table: realCards, listing, shape: 'scroll', ifEmpty: null })}
      <p>
        PyTorch 2.11 did the same work in turns with ours: memory and transfers agree within 0.4 %, products of the
        vendor’s library within 3 %. Multiply-adds reach 97 % of lanes × clock. The runs with all samples come with the
        source, in
        <code>native/results</code>.
      </p>
      <p class="acts"><a class="btn" href="${SAMPLE}">See a sample report</a></p>
    </div>`,
  });
}
