import { getArtifactRoute } from '../../contract/artifact.ts';
import type { Platform } from '../context.ts';
import { createArea, type Area } from '../http/area.ts';
import { artifactServer } from './serve-artifact.ts';

/** Downloads by signed URL. */
export function artifactsArea(platform: Platform): Area {
  const area = createArea(platform, 'error');
  area.on(getArtifactRoute, artifactServer(platform));
  return area;
}
