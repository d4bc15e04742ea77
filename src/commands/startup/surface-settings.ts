import { type SettingValues, settings } from '../../platform/settings.ts';
import { chooseSurface, type Surface, type SurfaceChoice } from '../../server/surface.ts';
import { loadCatalog } from '../../tool/catalog.ts';

export const surfaceSettings = [settings.toolsets, settings.tools, settings.excludeTools, settings.readOnly];

export function readSurfaceChoice(given: SettingValues): SurfaceChoice {
  return {
    toolsets: given.get(settings.toolsets),
    tools: given.get(settings.tools),
    excludeTools: given.get(settings.excludeTools),
    readOnly: given.get(settings.readOnly),
  };
}

/** Loads the tools that flags and environment select. */
export async function loadSurface(given: SettingValues): Promise<Surface> {
  return chooseSurface(await loadCatalog(), readSurfaceChoice(given));
}
