// The live page of a job: fragments rendered by the server replace regions of the page. Without scripts the page reloads.
const root = document.querySelector('[data-live]');
const line = document.getElementById('live');
const policy = globalThis.trustedTypes?.createPolicy('gpumark', { createHTML: (text) => text }) ?? {
  createHTML: (text) => text,
};
/** The server beats every 15 s: after this time without an event the page is disconnected, whatever the browser says. */
const silence = 40_000;
const longestWait = 30_000;
const quiet = 10_000;
let next = '';
let saying = null;
let spoken = 0;
let source = null;
let heard = Date.now();
let failures = 0;
let seq = Number(root.dataset.seq);
const waiting = new Map();

function replace(id, html) {
  const element = document.getElementById(id);
  if (!element) return;
  // Not while the reader is using it: replaced once the focus has left.
  if (element.contains(document.activeElement)) {
    waiting.set(id, html);
    return;
  }
  waiting.delete(id);
  const holder = document.createElement('template');
  holder.innerHTML = policy.createHTML(html);
  element.replaceWith(holder.content);
}

/** The text for screen readers changes at most every ten seconds; of several in between, only the last is set. */
function say(text) {
  next = text;
  if (saying) return;
  const wait = spoken + quiet - Date.now();
  if (wait <= 0) speak();
  else saying = setTimeout(speak, wait);
}

function speak() {
  saying = null;
  if (line.textContent === next) return;
  spoken = Date.now();
  line.textContent = next;
}

function connect() {
  source?.close();
  heard = Date.now();
  const address = root.dataset.live;
  source = new EventSource(`${address}${address.includes('?') ? '&' : '?'}after=${seq}`);
  const own = source;
  source.addEventListener('open', () => {
    heard = Date.now();
    failures = 0;
    say('Live.');
  });
  source.addEventListener('beat', () => (heard = Date.now()));
  source.addEventListener('snapshot', (event) => {
    heard = Date.now();
    if (Number(event.lastEventId) < seq) return;
    seq = Number(event.lastEventId);
    root.dataset.seq = String(seq);
    const { parts, at } = JSON.parse(event.data);
    for (const part of parts) replace(part.region, part.html);
    say(`Live, last change ${at.slice(11, 19)} UTC.`);
  });
  source.addEventListener('bye', (event) => {
    const { reason, retry_s } = JSON.parse(event.data);
    own.close();
    source = null;
    if (reason === 'ended') say('The job has ended; this page is complete.');
    else if (reason === 'busy') setTimeout(connect, retry_s * 1000 + Math.random() * 1000);
    else say('You are signed out, or the link was taken back. Open the page again.');
  });
  source.addEventListener('error', () => own === source && again());
}

/** Back-off of up to 1, 2, 4 .. 30 s with full jitter, so that pages do not all reconnect at once after an outage. */
function again() {
  source?.close();
  source = null;
  failures += 1;
  say('Connection lost, trying again.');
  setTimeout(connect, 300 + Math.random() * Math.min(longestWait, 1000 * 2 ** (failures - 1)));
  // If streams fail, because too many are open or a proxy holds them back, the page itself can still be loaded.
  if (failures > 2) void load();
}

async function load() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok || source?.readyState === EventSource.OPEN) return;
  const text = await answer.text();
  const fresh = new DOMParser().parseFromString(policy.createHTML(text), 'text/html');
  for (const part of fresh.querySelectorAll('main [id^="r-"]')) {
    const now = document.getElementById(part.id);
    if (now && now.outerHTML !== part.outerHTML) replace(part.id, part.outerHTML);
  }
  say(`Without a live connection; asked at ${new Date().toISOString().slice(11, 19)} UTC.`);
}

document.addEventListener('focusout', () => {
  setTimeout(() => {
    for (const [id, html] of waiting) replace(id, html);
  }, 0);
});
setInterval(() => {
  if (source !== null && Date.now() - heard > silence) again();
}, 5000);
connect();
