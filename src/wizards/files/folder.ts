import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { Failure, systemCode, systemReason } from '../../platform/errors.ts';
import { writeFileAtomic } from '../../platform/files.ts';
import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { nearest } from '../../platform/nearest.ts';
import { createSchemas, type Schemas } from '../validation/schemas.ts';
import { atBaseUrl } from './base-url.ts';
import { fileNameOf, newWizardId, wizardIdOf } from './ids.ts';
import { fromNotes } from './notes.ts';
import { privateBySchema } from './private.ts';
import { userDataSchema } from './user-data-schema.ts';
import { type Wizard, wizardSchema } from './wizard.ts';

/** A wizard with the schema of the data that it takes, as an execution needs them. */
export interface StoredWizard {
  wizard: Wizard;
  schema: JsonObject;
  /** The schema was written by whoever discovered the form; otherwise it follows from the wizard. */
  ownSchema: boolean;
  path: string;
  /** The wizard as its file has it: without what was read from notes, and with {base_url}. */
  written?: Wizard;
}

interface BrokenFile {
  file: string;
  problem: string;
}

export interface WizardFolder {
  list(): Promise<{ wizards: Wizard[]; broken: BrokenFile[] }>;
  read(id: string): Promise<StoredWizard>;
  /** Writes the wizard and its schema; what was there before is kept under versions/. */
  save(
    wizard: Wizard,
    schema?: JsonObject,
  ): Promise<{ path: string; schemaPath: string; previous: string | undefined }>;
  /** What a discovery has so far, so that a crash loses nothing. */
  savePartial(sessionId: string, content: JsonObject): Promise<string>;
  removePartial(sessionId: string): Promise<void>;
  /** Where executions leave their records. */
  runs: string;
}

/** Wizards lie in `<home>/wizards`, in the layout of the system that the format came from too. */
export function wizardFolder(
  home: string,
  env: NodeJS.ProcessEnv = process.env,
  schemas: Schemas = createSchemas(),
): WizardFolder {
  const root = join(home, 'wizards');
  const places = [root, join(root, 'wizard-structures')];
  const schemasOf = (id: string) => [
    join(root, `${id}.schema.json`),
    join(root, `${id}-schema.json`),
    join(root, 'data-schemas', `${id}-schema.json`),
  ];

  async function ids(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const place of places)
      for (const name of (await namesIn(place)).sort()) {
        const id = /^([a-z0-9-]+)\.json$/.exec(name)?.[1];
        if (id && !found.has(id) && !/-schema$/.test(id)) found.set(id, join(place, name));
      }
    return found;
  }

  async function readWizard(id: string, path: string) {
    const [content, own] = await Promise.all([readJson(path), ownSchemaOf(id)]);
    const written = parseWizard(content, fileNameOf(id));
    if (own) schemas.compile(own);
    const whole = privateBySchema(fromNotes({ ...written, wizard_id: id }, own), own);
    return { wizard: atBaseUrl(whole, env), own, written };
  }

  async function ownSchemaOf(id: string): Promise<JsonObject | undefined> {
    for (const path of schemasOf(id)) {
      const schema = await readJson(path).catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'wizard_not_found') return undefined;
        throw error;
      });
      if (isJsonObject(schema)) return schema;
    }
    return undefined;
  }

  return {
    runs: join(root, 'runs'),
    async list() {
      const wizards: Wizard[] = [];
      const broken: BrokenFile[] = [];
      for (const place of places)
        for (const file of (await namesIn(place)).filter(isMisnamed)) broken.push({ file, problem: MISNAMED });
      for (const [id, path] of await ids())
        await readWizard(id, path).then(
          ({ wizard }) => wizards.push(wizard),
          (error: unknown) => broken.push({ file: fileNameOf(id), problem: problemOf(error) }),
        );
      return { wizards, broken };
    },
    async read(given) {
      const id = wizardIdOf(given);
      const known = await ids();
      const path = known.get(id);
      if (!path) throw notFound(id, [...known.keys()]);
      const { wizard, own, written } = await readWizard(id, path);
      return { wizard, schema: own ?? userDataSchema(wizard), ownSchema: own !== undefined, path, written };
    },
    async save(wizard, schema = userDataSchema(wizard)) {
      const id = newWizardId(wizard.wizard_id);
      await mkdir(root, { recursive: true, mode: 0o700 });
      const path = join(root, fileNameOf(id));
      const schemaPath = join(root, `${id}.schema.json`);
      const previous = await keepPrevious(root, id, [path, schemaPath]);
      await writeFileAtomic(schemaPath, pretty(schema));
      await writeFileAtomic(path, pretty(wizard));
      return { path, schemaPath, previous };
    },
    async savePartial(sessionId, content) {
      const path = partialPath(root, sessionId);
      await mkdir(join(root, 'partial'), { recursive: true, mode: 0o700 });
      await writeFileAtomic(path, pretty(content));
      return path;
    },
    removePartial: (sessionId) => rm(partialPath(root, sessionId), { force: true }),
  };
}

/** Parses what a file holds; the problems name the place in it. */
export function parseWizard(content: unknown, file: string): Wizard {
  const parsed = wizardSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new Failure('configuration', 'broken_wizard', `The wizard file ${file} is broken: ${explain(parsed.error)}.`, {
    corrective_action: 'Mend the file, or discover the form again.',
  });
}

/** What is wrong, in words that name the place: `pages[0].fields[2].selector: …`. */
export function explain(error: z.ZodError): string {
  const shown = error.issues.slice(0, 5).map(({ path, message }) => {
    const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    return `${place.replace(/^\./, '') || 'the file'}: ${message.replace(/^Invalid input: /, '')}`;
  });
  const more = error.issues.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = systemCode(error) === 'ENOENT' ? 'wizard_not_found' : 'broken_wizard';
    throw new Failure('configuration', code, `The wizard file cannot be read: ${systemReason(error)}.`);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/".*"/s, '…') : '';
    throw new Failure('configuration', 'broken_wizard', `The wizard file is not JSON: ${reason}.`);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw new Failure('unavailable', 'wizards_unreadable', `The wizards cannot be read: ${systemReason(error)}.`);
  }
}

async function keepPrevious(root: string, id: string, paths: readonly string[]): Promise<string | undefined> {
  const contents = await Promise.all(paths.map((path) => readFile(path).catch(() => undefined)));
  const [wizard, schema] = contents;
  if (!wizard) return undefined;
  const folder = join(root, 'versions', id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date().toISOString().replaceAll(':', '-');
  const kept = join(folder, `${stamp}.json`);
  await writeFileAtomic(kept, wizard);
  if (schema) await writeFileAtomic(join(folder, `${stamp}.schema.json`), schema);
  return kept;
}

const MISNAMED = 'The name of a wizard file consists of a-z, 0-9 and hyphens, such as fsa-estimator.json.';

/** Files that somebody may take for wizards, and that no id leads to. */
const isMisnamed = (name: string) =>
  /^[^.].*\.json$/i.test(name) && !/[.-]schema\.json$/i.test(name) && !/^[a-z0-9-]{1,100}\.json$/.test(name);

function partialPath(root: string, sessionId: string): string {
  if (!/^[a-z0-9-]{1,64}$/i.test(sessionId))
    throw new Failure('bad_input', 'invalid_session', 'session_id is not the id of a discovery session.');
  return join(root, 'partial', `${sessionId}.json`);
}

function notFound(id: string, known: readonly string[]): Failure {
  const near = nearest(id, known);
  const hint = near ? ` Did you mean ${fileNameOf(near)}?` : known.length === 0 ? ' There are no wizards yet.' : '';
  return new Failure('not_found', 'wizard_not_found', `There is no wizard ${fileNameOf(id)}.${hint}`, {
    corrective_action: 'Call federalrunner_list_wizards for the wizards that there are, or discover the form.',
  });
}

const problemOf = (error: unknown) => (error instanceof Failure ? error.message : 'cannot be read');
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
