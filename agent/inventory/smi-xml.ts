/** Far deeper than nvidia-smi's output. */
const DEPTH_MAX = 40;

/**
 * Parses the document of `nvidia-smi -q -x`: text, or an object of child elements with attributes under `$`; repeated
 * elements become an array. Supports only what that program writes: elements,
 * attributes in double quotes, five entities; no CDATA, no mixed content.
 * @throws SyntaxError if it is truncated or another document
 */
export function parseSmiXml(text: string): Record<string, unknown> {
  const body = text.replace(/<\?[^>]*\?>|<!DOCTYPE[^>]*>|<!--[\s\S]*?-->/g, '');
  const tokens = body.matchAll(/<(\/?)([\w.-]+)((?:\s+[\w.-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g);
  const root: Element = { name: '', content: {}, text: '' };
  const open: Element[] = [root];
  for (const [, closing, name = '', attributes = '', empty, characters] of tokens) {
    const current = open.at(-1) ?? root;
    if (characters !== undefined) {
      current.text += characters;
    } else if (closing === '/') {
      if (current.name !== name || open.length === 1) throw new SyntaxError(`</${name}> closes nothing`);
      open.pop();
      add(open.at(-1) ?? root, current);
    } else {
      const element: Element = { name, content: attributesOf(attributes), text: '' };
      if (empty === '/') add(current, element);
      else open.push(element);
    }
    if (open.length > DEPTH_MAX) throw new SyntaxError('the document is nested too deeply');
  }
  if (open.length !== 1) throw new SyntaxError('the document is cut');
  return root.content;
}

interface Element {
  name: string;
  content: Record<string, unknown>;
  text: string;
}

function add(parent: Element, child: Element): void {
  const isText = Object.keys(child.content).length === 0;
  const value = isText ? decoded(child.text.trim()) : child.content;
  const before = parent.content[child.name];
  if (before === undefined) parent.content[child.name] = value;
  else if (Array.isArray(before)) before.push(value);
  else parent.content[child.name] = [before, value];
}

function attributesOf(text: string): Record<string, unknown> {
  const pairs = [...text.matchAll(/([\w.-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decoded(value)]);
  return pairs.length === 0 ? {} : { $: Object.fromEntries(pairs) as Record<string, string> };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string): string => text.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
