import { testSoundGpu } from '../sound-gpu.ts';

testSoundGpu('nvidia');
