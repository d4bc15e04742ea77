import { localIssuer, ownerHome } from '../../platform/principal.ts';
import type { ToolContext } from '../../tool/tool.ts';
import { openWizardFolder, type WizardFolder } from '../files/wizard-folder.ts';
import { wizardsSettings } from '../settings.ts';
import { createSchemaCompiler, type SchemaCompiler } from '../validation/schema-compiler.ts';

/** Compiled schemas by their text. They contain no user data, so owners share them. */
export function schemaCompilerOf({ shared }: Pick<ToolContext, 'shared'>): SchemaCompiler {
  return shared('wizards.schemas', createSchemaCompiler);
}

/** The wizards of this caller and those that the operator shares. */
export function ownerWizards(context: Pick<ToolContext, 'home' | 'principal' | 'setting' | 'shared'>): WizardFolder {
  const { home, principal, setting } = context;
  return openWizardFolder(ownerHome(home, principal), {
    shared: setting(wizardsSettings.sharedWizards),
    baseUrl: setting(wizardsSettings.wizardsBaseUrl),
    schemas: schemaCompilerOf(context),
    confined: principal.issuer !== localIssuer,
  });
}
