// The live page of a job: the server's own fragments replace the regions of the page. Without this file the page asks again.
const root = document.querySelector('[data-live]');
const line = document.getElementById('live');
const policy = globalThis.trustedTypes?.createPolicy('gpumark', { createHTML: (text) => text }) ?? {
  createHTML: (text) => text,
};
const silence = 40_000;
let source = null;
let heard = Date.now();
let seq = Number(root.dataset.seq);
const waiting = new Map();

function replace(id, html) {
  const element = document.getElementById(id);
  if (!element) return;
  // Not under the reader's fingers: it follows when the focus has left.
  if (element.contains(document.activeElement)) {
    waiting.set(id, html);
    return;
  }
  waiting.delete(id);
  const holder = document.createElement('template');
  holder.innerHTML = policy.createHTML(html);
  element.replaceWith(holder.content);
}

function say(text) {
  if (line.textContent !== text) line.textContent = text;
}

function connect() {
  source?.close();
  heard = Date.now();
  source = new EventSource(`${root.dataset.live}?after=${seq}`);
  source.addEventListener('open', () => {
    heard = Date.now();
    say('Live.');
  });
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
    source.close();
    if (reason === 'ended') say('The job has ended; this page is complete.');
    else if (reason === 'busy') setTimeout(connect, retry_s * 1000 + Math.random() * 1000);
    else say('You are signed out, or the link was taken back. Open the page again.');
  });
  source.addEventListener('error', () => {
    say('Connection lost, trying again.');
    // A refusal ends an EventSource; what else goes wrong it tries again itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 2000 + Math.random() * 8000);
  });
}

document.addEventListener('focusout', () => {
  setTimeout(() => {
    for (const [id, html] of waiting) replace(id, html);
  }, 0);
});
setInterval(() => {
  // Beats are comments, which a page does not see: only a connection that cannot be open counts as silent.
  if (source?.readyState === EventSource.CONNECTING && Date.now() - heard > silence) connect();
}, 5000);
connect();
