import { localIssuer, ownerHome } from '../../platform/principal.ts';
import { settings } from '../../platform/settings.ts';
import type { ToolContext } from '../../tool/tool.ts';
import { type WizardFolder, wizardFolder } from '../files/folder.ts';
import { createSchemas, type Schemas } from '../validation/schemas.ts';

const makeSchemas = () => createSchemas();

/** Compiled schemas, found by their text: they hold nothing of the data that was checked, so owners can share them. */
export function schemasOf({ shared }: Pick<ToolContext, 'shared'>): Schemas {
  return shared(makeSchemas);
}

/** The wizards that this caller can use: their own, and those that the operator shares. */
export function wizardsOf(context: Pick<ToolContext, 'home' | 'principal' | 'setting' | 'shared'>): WizardFolder {
  const { home, principal, setting } = context;
  return wizardFolder(ownerHome(home, principal), {
    shared: setting(settings.sharedWizards),
    baseUrl: setting(settings.wizardsBaseUrl),
    schemas: schemasOf(context),
    confined: principal.issuer !== localIssuer,
  });
}
