import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { Failure, systemCode, systemReason } from '../../platform/errors.ts';
import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import type { SchemaCompiler } from '../validation/schema-compiler.ts';
import { resolveBaseUrl } from './base-url.ts';
import { applyLegacyNotes } from './legacy-notes.ts';
import { markPrivateFields } from './private-fields.ts';
import { wizardFileName } from './wizard-id.ts';
import { type Wizard, wizardSchema } from './wizard-schema.ts';

interface ReadWizard {
  wizard: Wizard;
  /** The user-data schema from the file beside the wizard, if there is one. */
  ownSchema: JsonObject | undefined;
  /** The wizard as stored: without options read from notes, and with {base_url}. */
  written: Wizard;
}

/** The wizard files in one folder, in the current layout and in that of the original system. */
export interface WizardFiles {
  /** The file of each wizard, by id. */
  paths(): Promise<ReadonlyMap<string, string>>;
  /** JSON files whose names are no wizard ids. */
  listMisnamed(): Promise<string[]>;
  read(id: string, path: string): Promise<ReadWizard>;
}

interface WizardFilesOptions {
  baseUrl: string | undefined;
  schemas: SchemaCompiler;
  /** Called with the path of each file before it is read; throws if reading is not allowed. */
  check(path: string): Promise<void>;
}

export function openWizardFiles(root: string, { baseUrl, schemas, check }: WizardFilesOptions): WizardFiles {
  const folders = [root, join(root, 'wizard-structures')];
  const schemaPaths = (id: string) => [
    join(root, `${id}.schema.json`),
    join(root, `${id}-schema.json`),
    join(root, 'data-schemas', `${id}-schema.json`),
  ];

  async function readJson(path: string): Promise<unknown> {
    await check(path);
    return parseJson(path);
  }

  async function ownSchemaOf(id: string): Promise<JsonObject | undefined> {
    for (const path of schemaPaths(id)) {
      const schema = await readJson(path).catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'wizard_not_found') return undefined;
        throw error;
      });
      if (isJsonObject(schema)) return schema;
    }
    return undefined;
  }

  return {
    async paths() {
      const found = new Map<string, string>();
      for (const folder of folders)
        for (const name of (await namesIn(folder)).sort()) {
          const id = /^([a-z0-9-]+)\.json$/.exec(name)?.[1];
          if (id && !found.has(id) && !/-schema$/.test(id)) found.set(id, join(folder, name));
        }
      return found;
    },
    async listMisnamed() {
      return (await Promise.all(folders.map(namesIn))).flat().filter(isMisnamed);
    },
    async read(id, path) {
      const [content, ownSchema] = await Promise.all([readJson(path), ownSchemaOf(id)]);
      const written = parseWizard(content, wizardFileName(id));
      if (ownSchema) schemas.compile(ownSchema);
      const whole = markPrivateFields(applyLegacyNotes({ ...written, wizard_id: id }, ownSchema), ownSchema);
      return { wizard: resolveBaseUrl(whole, baseUrl), ownSchema, written };
    },
  };
}

/** Parses the content of a wizard file. Throws `broken_wizard` with the paths of the problems. */
export function parseWizard(content: unknown, file: string): Wizard {
  const parsed = wizardSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new Failure(
    'configuration',
    'broken_wizard',
    `The wizard file ${file} is broken: ${describeSchemaIssues(parsed.error)}.`,
    FIX_FILE,
  );
}

/** The first issues with their paths: `pages[0].fields[2].selector: …`. */
export function describeSchemaIssues(error: z.ZodError): string {
  const shown = error.issues.slice(0, 5).map(({ path, message }) => {
    const location = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    return `${location.replace(/^\./, '') || 'the file'}: ${message.replace(/^Invalid input: /, '')}`;
  });
  const more = error.issues.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const FIX_FILE = {
  corrective_action: 'Fix the file, or discover the form again with federalscout_start_discovery.',
};

async function parseJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = systemCode(error) === 'ENOENT' ? 'wizard_not_found' : 'broken_wizard';
    throw new Failure('configuration', code, `The wizard file cannot be read: ${systemReason(error)}.`, FIX_FILE);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/".*"/s, '…') : '';
    throw new Failure('configuration', 'broken_wizard', `The wizard file is not JSON: ${reason}.`, FIX_FILE);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw new Failure('unavailable', 'wizards_unreadable', `The wizards cannot be read: ${systemReason(error)}.`, {
      corrective_action: 'Make the folder readable for the user that runs Assay.',
    });
  }
}

const isMisnamed = (name: string) =>
  /^[^.].*\.json$/i.test(name) && !/[.-]schema\.json$/i.test(name) && !/^[a-z0-9-]{1,100}\.json$/.test(name);
