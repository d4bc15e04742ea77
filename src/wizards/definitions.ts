import { defineTools } from '../tool/tool.ts';
import { presentWizardError } from './present-error.ts';
import { fillInWebForm } from './prompts/fill-in-web-form.ts';
import { recordWebForm } from './prompts/record-web-form.ts';
import { discoveryPictureResource } from './resources/discovery-picture-resource.ts';
import { runPictureResource } from './resources/run-picture-resource.ts';
import { federalrunnerExecuteWizard } from './tools/federalrunner-execute-wizard.ts';
import { federalrunnerGetWizardInfo } from './tools/federalrunner-get-wizard-info.ts';
import { federalrunnerListWizards } from './tools/federalrunner-list-wizards.ts';
import { federalrunnerValidateUserData } from './tools/federalrunner-validate-user-data.ts';
import { federalscoutCheckWizard } from './tools/federalscout-check-wizard.ts';
import { federalscoutClickElement } from './tools/federalscout-click-element.ts';
import { federalscoutCompleteDiscovery } from './tools/federalscout-complete-discovery.ts';
import { federalscoutExecuteActions } from './tools/federalscout-execute-actions.ts';
import { federalscoutGetPageInfo } from './tools/federalscout-get-page-info.ts';
import { federalscoutSavePageMetadata } from './tools/federalscout-save-page-metadata.ts';
import { federalscoutStartDiscovery } from './tools/federalscout-start-discovery.ts';

export const wizardsDefinitions = defineTools({
  name: 'wizards',
  title: 'Wizards',
  summary:
    'Fills in online forms with the data of a user, and reports success only with proof. Start with federalrunner_list_wizards; a form that is not listed is recorded with federalscout_start_discovery.',
  questions: [
    { question: 'Fill in an online form for a user:', tool: 'federalrunner_list_wizards' },
    { question: 'Record a form that is not listed:', tool: 'federalscout_start_discovery' },
  ],
  tools: [
    federalscoutStartDiscovery,
    federalscoutClickElement,
    federalscoutGetPageInfo,
    federalscoutExecuteActions,
    federalscoutSavePageMetadata,
    federalscoutCompleteDiscovery,
    federalrunnerListWizards,
    federalrunnerGetWizardInfo,
    federalrunnerExecuteWizard,
    federalrunnerValidateUserData,
    federalscoutCheckWizard,
  ],
  prompts: [fillInWebForm, recordWebForm],
  resources: [runPictureResource, discoveryPictureResource],
  presentError: presentWizardError,
});
