import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allMean, meant } from './said-means.ts';

describe('memory', () => {
  test('it is read in all the ways it is written, also from beside the label', () => {
    allMean('nvidia-t4-16gb', 'T4 (16)', 'T4 (16 GB)', 'T4 16G', 'T4 16 GiB', 'T4-16GB');
    assert.equal(meant('RTX 4060 Ti', 15.996), 'nvidia-geforce-rtx-4060-ti-16gb');
    assert.equal(meant('RTX 4060 Ti', 8), 'nvidia-geforce-rtx-4060-ti-8gb');
    assert.equal(meant('RTX 4060 Ti'), '- ambiguous');
    assert.equal(meant('RTX 4060 Ti', 0), '- ambiguous', '0 stands for not known');
  });

  test('one size is measured in several ways', () => {
    for (const [label, expected, ...sizes] of [
      ['B200', 'nvidia-b200-192gb', 179.06, 180, 183, 183.4, 192],
      ['B300', 'nvidia-b300-288gb', 262, 262.5, 268, 268.6, 270, 275, 288],
      ['GB200', 'nvidia-gb200-186gb', 185, 186, 192],
      ['GB300', 'nvidia-gb300-279gb', 279, 288],
      ['H200', 'nvidia-h200-sxm-141gb', 140.4, 141, 143, 143.8, 144],
      ['H100', 'nvidia-h100-nvl-94gb', 93.58, 94, 95.8],
      ['GH200', 'nvidia-gh200-96gb', 95.6, 96, 97.9],
      ['L40S', 'nvidia-l40s-48gb', 44.99, 46, 48],
      ['T4', 'nvidia-t4-16gb', 14.75, 15, 16],
    ] as const)
      for (const size of sizes) assert.equal(meant(label, size), expected, `${label} ${size}`);
  });

  test('sizes that are other cards are never taken for this one', () => {
    assert.equal(meant('RTX 4090', 48), '- contradiction');
    assert.equal(meant('RTX 2080 Ti', 22), '- contradiction');
    assert.equal(meant('H100', 96), '- contradiction');
    assert.equal(meant('RTX 3080', 11), '- contradiction');
    assert.equal(meant('A100 SXM', 81.92), 'nvidia-a100-sxm-80gb', 'MiB divided by 1000');
    assert.equal(meant('B200', 185), '- contradiction', 'a GB200');
    assert.equal(meant('GB300', 275), '- contradiction', 'a B300');
    assert.equal(meant('GH200', 144), 'nvidia-gh200-144gb');
    assert.equal(meant('A100 (20 GB)'), '- contradiction', 'half of one');
    assert.equal(meant('AWS Inferentia', 32), '- contradiction', 'a Trainium');
    assert.equal(meant('K80 24GB'), '- contradiction', 'the board with two');
  });

  test('the names that drivers give mean what the drivers mean', () => {
    allMean('nvidia-h100-sxm-80gb', 'NVIDIA H100 80GB HBM3', 'nvidia-h100-mega-80gb');
    allMean('nvidia-gh200-96gb', 'NVIDIA GH200 480GB');
    allMean('nvidia-gh200-144gb', 'NVIDIA GH200 144G HBM3e');
    allMean('nvidia-b300-288gb', 'NVIDIA B300 SXM6 AC');
  });
});

describe('form factor', () => {
  test('it is read from the label or from beside it', () => {
    allMean('nvidia-a100-sxm-80gb', 'A100-80G-sxm4x8', 'A100 80GB SXM', 'DGX A100 80GB', 'A100_80Gx8_SXM4');
    allMean('nvidia-h100-sxm-80gb', 'H100 HGX (80GB)', 'H100-sxm5x2', 'H100 SXM');
    allMean('nvidia-a100-pcie-40gb', 'A100-PCIE-40GB', 'A100 40GB PCI-E', 'NVIDIA_A100_40GB_PCle');
    assert.equal(meant('A100', 80, 'SXM4'), 'nvidia-a100-sxm-80gb');
    assert.equal(meant('A100', 80, 'PCIE'), 'nvidia-a100-pcie-80gb');
    assert.equal(meant('A100', 80, 'somewhere'), '- ambiguous', 'a word that says no form factor says nothing');
  });

  test('an H100, A100, V100 or P100 without it is one of several', () => {
    allMean('- ambiguous', 'H100', 'H100 80GB', 'A100', 'A100 (40 GB)', 'Tesla V100 32GB', 'P100');
  });

  test('PCIe alone is never the NVL card, and NVL beside PCIe is not a contradiction', () => {
    allMean('nvidia-h100-pcie-80gb', 'H100 PCIe');
    assert.equal(meant('H100 NVL', 94, 'PCIe'), 'nvidia-h100-nvl-94gb');
    assert.equal(meant('H200 NVL', 143, 'PCIe'), 'nvidia-h200-nvl-141gb');
    assert.equal(meant('H200', 141, 'PCIe'), '- contradiction');
  });

  test('a label that speaks against what stands beside it means nothing', () => {
    assert.equal(meant('H100 SXM', 94), '- contradiction');
    assert.equal(meant('H100 SXM', 80, 'PCIe'), '- contradiction');
    assert.equal(meant('A100 80GB', 40), '- contradiction');
    assert.equal(meant('H100 NVL', 80), '- contradiction', 'a reseller’s word for cards with NVLink bridges');
    assert.equal(meant('L40S', 48, 'SXM'), '- contradiction');
    assert.equal(meant('B300 NVL72'), '- contradiction', 'that rack holds GB300');
  });

  test('bare H200 and GH200 are those whose rivals are always spelled out', () => {
    assert.equal(meant('H200', 141), 'nvidia-h200-sxm-141gb');
    assert.equal(meant('GH200'), 'nvidia-gh200-96gb');
  });
});
