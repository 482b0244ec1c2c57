import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probeNvidiaSmi } from '../../../agent/inventory/library-probes.ts';
import { parseSmiXml } from '../../../agent/inventory/smi-xml.ts';
import { fakeNvidiaSmi } from '../support/fake-nvidia-smi.ts';

test('the XML reader returns the library’s structure: attributes under $, repeats as arrays, entities decoded', async (t) => {
  const document = `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log><a id="x &amp; y"><b>1 &lt; 2</b><b/><c>
 text </c></a><a>two</a><empty></empty></nvidia_smi_log>`;
  fakeNvidiaSmi(t, `cat <<'END'\n${document}\nEND`);
  assert.deepEqual(parseSmiXml(document), JSON.parse(JSON.stringify((await probeNvidiaSmi()).value)));
  for (const broken of ['<a><b></a>', '<a>', '</a>', '<a>'.repeat(50)])
    assert.throws(() => parseSmiXml(broken), SyntaxError);
});
