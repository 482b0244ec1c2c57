import { describe, test } from 'node:test';
import { allMean } from './said-means.ts';

describe('a chip is named by whole words', () => {
  test('GB200 is not B200, L40S not L40, A100 not A10, H20 not H200, V100S not V100, T4G not T4', () => {
    allMean('nvidia-gb200-186gb', 'GB200', 'NVIDIA GB200 NVL72', 'gb200_nvl72');
    allMean('nvidia-b200-192gb', 'B200', 'HGX B200');
    allMean('nvidia-l40s-48gb', 'L40S', 'L40s', 'NVIDIA L40S 48GB');
    allMean('nvidia-l40-48gb', 'L40', 'NVIDIA L40');
    allMean('nvidia-l4-24gb', 'L4');
    allMean('nvidia-a10-24gb', 'A10', 'NVIDIA-A10');
    allMean('nvidia-a10g-24gb', 'A10G');
    allMean('nvidia-h20-96gb', 'H20');
    allMean('nvidia-h200-sxm-141gb', 'H200');
    allMean('nvidia-v100s-32gb', 'V100S', 'Tesla V100S PCIe 32GB');
    allMean('nvidia-t4g-16gb', 'T4G');
    allMean('nvidia-t4-16gb', 'T4', 'nvidia-tesla-t4');
  });

  test('the longest name wins: RTX 6000 Ada, RTX 4070 Ti SUPER, RX 7900 XTX, RTX 4000 SFF Ada', () => {
    allMean(
      'nvidia-rtx-6000-ada-48gb',
      'RTX 6000 Ada',
      'RTX-6000-Ada',
      'RTX6000Ada',
      '6000Ada',
      'RTX_6000Ada',
      'RTX6000ADA',
    );
    allMean('nvidia-geforce-rtx-4070-ti-super-16gb', 'RTX 4070 Ti SUPER', 'RTX_4070S_Ti', 'RTX 4070 Super Ti');
    allMean('nvidia-geforce-rtx-4070-ti-12gb', 'RTX 4070 Ti', '4070Ti');
    allMean('nvidia-geforce-rtx-4070-super-12gb', 'RTX_4070S', 'RTX 4070 SUPER');
    allMean('amd-radeon-rx-7900-xtx-24gb', 'RX 7900 XTX', 'RX7900XTX');
    allMean('amd-radeon-rx-7900-xt-20gb', 'RX 7900 XT');
    allMean('nvidia-rtx-4000-sff-ada-20gb', 'RTX 4000 SFF Ada', 'RTX 4000 Ada SFF');
  });

  test('the series and the words of the maker may be left out or glued on', () => {
    allMean(
      'nvidia-rtx-a6000-48gb',
      'A6000',
      'RTX A6000',
      'RTXA6000',
      'NVIDIA RTX A6000',
      'A6000x8',
      '8x A6000',
      '8xA6000',
    );
    allMean(
      'nvidia-geforce-rtx-3080-ti-12gb',
      '3080Ti ()',
      '3080Ti (12 GB)',
      'GeForce RTX3080Ti',
      'NVIDIA® GeForce RTX™ 3080 Ti',
    );
    allMean('amd-instinct-mi300x-192gb', 'MI300X', 'MI300Xx8', 'AMD Instinct MI300X OAM', 'Radeon Instinct MI300X');
    allMean('intel-gaudi-2-96gb', 'Gaudi2', 'Habana Gaudi 2');
    allMean('nvidia-quadro-rtx-8000-48gb', 'QuadroRTX8000', 'RTX 8000');
    allMean('nvidia-titan-rtx-24gb', 'TITAN RTX', 'RTX Titan');
    allMean('intel-gaudi-1-32gb', 'Gaudi HL-205', 'Intel Gaudi', 'Gaudi 32GB');
    allMean('google-tpu-v7-192gb', 'TPU7x', 'tpu-v7');
    allMean('qualcomm-cloud-ai-100-16gb', 'Qualcomm AI 100 Accelerators', 'Cloud AI 100');
  });

  test('words written together are read as those apart', () => {
    allMean('nvidia-geforce-rtx-4070-ti-super-16gb', 'RTX4070TiSUPER', 'geforcertx4070tisuper-pcie-16gb');
    allMean('nvidia-rtx-4000-sff-ada-20gb', 'RTX4000SFFAda', 'RTX4000AdaSFF');
    allMean('nvidia-rtx-pro-6000-blackwell-max-q-96gb', 'RTXPRO6000MaxQ');
    allMean('nvidia-h100-nvl-94gb', 'H100NVL');
    allMean('nvidia-quadro-rtx-8000-48gb', 'Q RTX 8000');
    allMean('- unknown-words', 'RTXPRO6000D', 'RTX6000D', 'RTX4090Laptop');
  });
});

describe('every word is accounted for', () => {
  test('a slice, a laptop’s card, a vGPU and a card for one country are not the card', () => {
    allMean('- unknown-words', 'NVIDIA A100 MIG 1g.10gb', 'A100 1g.5gb', 'RTX 4090 Laptop GPU', 'RTX 3080 Mobile');
    allMean(
      '- unknown-words',
      'RTX A5000 Max-Q',
      'RTX 4090 D',
      'RTX 4090D',
      'RTX 5090 D',
      'A100X',
      'GRID A100-40C',
      'L40S-48Q',
    );
  });

  test('an edition that is not in the name is another product', () => {
    allMean(
      '- unknown-words',
      'RTX PRO 4500 Blackwell Server Edition',
      'RTX PRO 4500 SE',
      'RTX PRO 4000 SFF',
      'GTX 1660 SUPER',
    );
    allMean('- unknown-words', 'Qualcomm AI 100 Ultra', 'AMD Instinct MI300', 'AMD Instinct MI300X VF', 'DGX Spark');
  });

  test('the words of another maker speak against it: Intel’s Arc Pro A40 is not NVIDIA’s A40', () => {
    allMean('- unknown-words', 'Arc Pro A40', 'AMD A100', 'GeForce 6800', 'Radeon 4090');
  });

  test('old cards with like numbers are not taken for new ones', () => {
    allMean(
      '- unknown-words',
      'Quadro 6000',
      'Quadro 4000',
      'GTX 1080',
      'Titan X (Pascal)',
      'T400 2GB',
      'Radeon HD 6950',
    );
  });

  test('a label without words, or made of anything else, means nothing', () => {
    allMean('- unknown-words', '', ' ', '80GB', 'SXM', 'x8', '()', '-', 'constructor', '__proto__', '🙂');
  });
});

describe('editions and generations', () => {
  test('RTX PRO 6000 alone is one of three; Server, Max-Q and Workstation decide in all their spellings', () => {
    allMean('- ambiguous', 'RTX PRO 6000', 'RTXPRO6000', 'RTX-PRO-6000 96GB', 'NVIDIA RTX PRO 6000 Blackwell');
    allMean(
      'nvidia-rtx-pro-6000-blackwell-server-96gb',
      'RTX PRO 6000 Server Edition',
      'RTX PRO 6000 SE',
      'RTX_PRO_6000_S',
      'RTXPRO6000S',
    );
    allMean(
      'nvidia-rtx-pro-6000-blackwell-max-q-96gb',
      'RTX PRO 6000 Max-Q',
      'RTX PRO 6000 MaxQ',
      'RTX PRO 6000 Blackwell Max-Q Workstation Edition',
    );
    allMean(
      'nvidia-rtx-pro-6000-blackwell-96gb',
      'RTX PRO 6000 Workstation',
      'RTX PRO 6000 WK',
      'RTX PRO 6000 WS',
      'RTX PRO 6000 Blackwell Workstation Edition',
    );
    allMean('- contradiction', 'RTX PRO 6000 Max-Q Server Edition');
  });

  test('RTX 6000 without Quadro or Ada is one of two; memory can tell the Quadro, an Ada must be called so', () => {
    allMean('- ambiguous', 'RTX 6000', 'RTX6000', 'NVIDIA RTX 5000', 'RTX4000');
    allMean('nvidia-quadro-rtx-6000-24gb', 'Quadro RTX 6000', 'RTX 6000 24GB');
    allMean('nvidia-quadro-rtx-5000-16gb', 'RTX5000 (16GB)', 'RTX5000 (16 GB)');
    allMean('nvidia-rtx-5000-ada-32gb', 'RTX 5000 Ada Generation', 'RTX 5000 Ada 32GB');
    allMean('- ambiguous', 'RTX 6000 48GB', 'RTX 5000 32GB', 'RTX 2000 16GB');
    allMean('- contradiction', 'RTX 5000 Ada 16GB', 'RTX 5000 24GB');
  });
});
