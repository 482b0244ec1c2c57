// Small enhancements of every page, none of them required. It runs before the first paint, so that nothing shifts.

/** The reader's local time, shown before the server's UTC; also in content that is added later. */
const zone = new Intl.DateTimeFormat('sv', {
  dateStyle: 'short',
  timeStyle: 'short',
});
const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' });

function localTime(element) {
  if (element.dataset.local !== undefined || !element.dateTime.includes('T')) return;
  const at = new Date(element.dateTime);
  element.dataset.local = '';
  if (at.getTimezoneOffset() === 0) return;
  const name = offset.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const local = document.createElement('span');
  local.className = 'local';
  local.textContent = `${zone.format(at)} ${name}`;
  element.prepend(local, ' ');
}

function copyButton(block) {
  if (block.dataset.ready !== undefined) return;
  block.dataset.ready = '';
  const text = () => block.querySelector('code, output').textContent;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text()).then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Copy failed: mark the line'),
    );
  });
  block.append(button);
  if (block.dataset.download === undefined) return;
  const link = document.createElement('a');
  link.className = 'btn';
  link.textContent = 'Download';
  link.download = block.dataset.download;
  link.href = URL.createObjectURL(new Blob([`${text()}\n`], { type: 'text/plain' }));
  block.append(link);
}

function help(root) {
  for (const element of root.querySelectorAll('time[datetime]')) localTime(element);
  for (const block of root.querySelectorAll('[data-copy]')) copyButton(block);
}

let isWhole = false;
/** While the page is parsed, a block can lack its text; a time is complete once it has its text. */
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes) {
      const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
      const time = element?.closest('time[datetime]');
      if (time) localTime(time);
      else if (isWhole && element) help(element);
      else for (const one of element?.querySelectorAll('time[datetime]') ?? []) if (one.firstChild) localTime(one);
    }
}).observe(document, { childList: true, subtree: true });

document.addEventListener('DOMContentLoaded', () => {
  isWhole = true;
  help(document);
  document.querySelector('[data-focus]')?.focus();
});
