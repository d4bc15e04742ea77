import { type SettingValues, settings } from '../../platform/settings.ts';
import { chooseSurface, type Surface, type SurfaceChoice } from '../../server/surface.ts';
import { loadCatalog } from '../../tool/catalog.ts';

export const surfaceSettings = [settings.toolsets, settings.tools, settings.excludeTools, settings.readOnly];

export function readSurfaceChoice(values: SettingValues): SurfaceChoice {
  return {
    toolsets: values.get(settings.toolsets),
    tools: values.get(settings.tools),
    excludeTools: values.get(settings.excludeTools),
    readOnly: values.get(settings.readOnly),
  };
}

/** Loads the tools that flags and environment select. */
export async function loadSurface(values: SettingValues): Promise<Surface> {
  return chooseSurface(await loadCatalog(), readSurfaceChoice(values));
}
