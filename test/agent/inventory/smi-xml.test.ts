import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSmiXml } from '../../../agent/inventory/smi-xml.ts';

test('the XML reader has attributes under $, repeats as arrays, and entities decoded', () => {
  const document = `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log><a id="x &amp; y"><b>1 &lt; 2</b><b/><c>
 text </c></a><a>two</a><empty></empty></nvidia_smi_log>`;
  assert.deepEqual(parseSmiXml(document), {
    nvidia_smi_log: { a: [{ $: { id: 'x & y' }, b: ['1 < 2', ''], c: 'text' }, 'two'], empty: '' },
  });
  for (const broken of ['<a><b></a>', '<a>', '</a>', '<a>'.repeat(50)])
    assert.throws(() => parseSmiXml(broken), SyntaxError);
});
