import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marketCommands } from '../market/market-commands.ts';

test('names that look like formulas leave as text, and come back as they were', async (t) => {
  const market = await marketCommands(t);
  const exported = async (): Promise<string> => (await market.command('catalog', 'export')).stdout;
  const imported = async (content: string): Promise<string> => {
    const path = await market.file('catalog.csv', content);
    const { stdout, stderr } = await market.command('catalog', 'import', path);
    return `${stdout}${stderr}`.slice(path.length);
  };
  const row = `900001,acme-a9,"=HYPERLINK(""http://x"")",+A9,,''@Acme,asic,-PCIe,96,,,,,,,,"; =1",a;-b|%c`;
  const columns = (await exported()).split('\n', 1)[0] ?? '';
  await imported(`${columns}\n${row}\n`);
  const text = await exported();
  const [cells] = text.match(/^900001,.*$/m) ?? [];
  assert.equal(cells, `900001,acme-a9,"'=HYPERLINK(""http://x"")",'+A9,,''@Acme,asic,'-PCIe,96,,,,,,,,;' =1,a;'-b|%c`);
  assert.equal(await imported(text), `: ${text.trimEnd().split('\n').length - 1} products imported\n`);
  assert.equal(await exported(), text);
  const [stored] = await market.platform.sql`select name, chip, manufacturer from product where product_id = 900001`;
  assert.deepEqual({ ...stored }, { name: '=HYPERLINK("http://x")', chip: '+A9', manufacturer: "'@Acme" });
  const broken = `${columns}\n${row.replace(',+A9,', ',"A\n9",')}\n`;
  assert.equal(await imported(broken), ', row 1, chip: holds a line break or another control character\n');
});
