// Small helps on every page; each of them can be done without.

/** The reader's own zone before the UTC that the server wrote. */
const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
export function localTimes(root) {
  for (const element of root.querySelectorAll('time[datetime]:not([data-local])')) {
    if (!element.dateTime.includes('T')) continue;
    element.dataset.local = '';
    element.title = `${zoned.format(new Date(element.dateTime))} in your time zone`;
  }
}

function copyButtons(root) {
  for (const block of root.querySelectorAll('[data-copy]:not([data-ready])')) {
    block.dataset.ready = '';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const text = block.querySelector('code, output').textContent;
      navigator.clipboard.writeText(text).then(
        () => (button.textContent = 'Copied'),
        () => (button.textContent = 'Copy failed: mark the line'),
      );
    });
    block.append(button);
  }
}

localTimes(document);
copyButtons(document);
document.querySelector('[data-focus]')?.focus();
