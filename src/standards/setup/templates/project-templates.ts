import { api } from './api.ts';
import { cli } from './cli.ts';
import { extension } from './extension.ts';
import { library } from './library.ts';
import type { ProjectTemplate, TemplateName } from './template.ts';

export const templates: Record<TemplateName, ProjectTemplate> = { extension, library, api, cli };
