import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../platform/errors.ts';
import { acquireFileLock } from '../../platform/files/file-lock.ts';
import { checkPath, makeHomeFolder, writeFileAtomic } from '../../platform/files/files.ts';
import type { JsonObject } from '../../platform/json.ts';
import { findNearestName } from '../../platform/text/nearest-name.ts';
import { safeJson } from '../../platform/text/untrusted-text.ts';
import { createSchemaCompiler, type SchemaCompiler } from '../validation/schema-compiler.ts';
import { buildUserDataSchema } from './user-data-schema.ts';
import { openWizardFiles, type WizardFiles } from './wizard-files.ts';
import { parseNewWizardId, parseWizardId, wizardFileName } from './wizard-id.ts';
import type { Wizard } from './wizard-schema.ts';

/** A wizard with its user-data schema, as validation and execution need them. */
export interface StoredWizard {
  wizard: Wizard;
  schema: JsonObject;
  /** The schema comes from a file; otherwise it is derived from the wizard. */
  ownSchema: boolean;
  path: string;
  /** The wizard as stored: without options read from notes, and with {base_url}. */
  written?: Wizard;
}

interface ListedWizard {
  wizard: Wizard;
  /** The operator shares it with every caller. Callers can run it, but not overwrite it. */
  shared: boolean;
}

/** A wizard file, and the folder it is read from. */
interface WizardEntry {
  files: WizardFiles;
  path: string;
  shared: boolean;
  /** The operator shares another wizard with the same id, which this owner cannot reach. */
  hidesShared: boolean;
}

interface BrokenFile {
  file: string;
  problem: string;
}

/** The wizards that one owner can run: their own, and those that the operator shares. */
export interface WizardFolder {
  list(): Promise<{ wizards: ListedWizard[]; broken: BrokenFile[] }>;
  read(id: string): Promise<StoredWizard>;
  /** Throws if the operator shares a wizard with this id. */
  checkNewId(id: string): Promise<void>;
  /** Writes the wizard and its schema; the previous version is kept under versions/. */
  save(
    wizard: Wizard,
    schema?: JsonObject,
  ): Promise<{ path: string; schemaPath: string; previous: string | undefined }>;
  /** Stores the pages of an open discovery, so that a crash loses nothing. */
  savePartial(sessionId: string, content: JsonObject): Promise<string>;
  removePartial(sessionId: string): Promise<void>;
  /** The folder for the pages of uncompleted discoveries. */
  partials: string;
  /** The folder for the records of executions. */
  runs: string;
}

export interface WizardFolderOptions {
  /** The folder of the wizards that the operator shares with every owner. It is only read. */
  shared?: string | undefined;
  /** What `{base_url}` in wizard files stands for. Default: the `base_url` of the file. */
  baseUrl?: string | undefined;
  schemas?: SchemaCompiler;
  /** Rejects files that a symbolic link takes outside of the owner's folder. */
  confined?: boolean;
}

/** The wizards of an owner, in `<home of the owner>/wizards`. */
export function openWizardFolder(
  home: string,
  { shared, baseUrl, schemas = createSchemaCompiler(), confined = false }: WizardFolderOptions = {},
): WizardFolder {
  const root = join(home, 'wizards');
  const check = async (path: string) => {
    if (confined) await checkPath(path, root, [root]);
  };
  const own = openWizardFiles(root, { baseUrl, schemas, check });
  const published =
    shared === undefined ? undefined : openWizardFiles(shared, { baseUrl, schemas, check: async () => {} });

  /** By id. A wizard of the owner takes precedence, so that sharing a wizard never changes an existing one. */
  async function entries(): Promise<Map<string, WizardEntry>> {
    const sharedPaths = (await published?.paths()) ?? new Map<string, string>();
    const found = new Map<string, WizardEntry>();
    for (const [id, path] of await own.paths()) {
      const other = sharedPaths.get(id);
      found.set(id, { files: own, path, shared: other === path, hidesShared: other !== undefined && other !== path });
    }
    for (const [id, path] of sharedPaths)
      if (published && !found.has(id)) found.set(id, { files: published, path, shared: true, hidesShared: false });
    return found;
  }

  async function checkNewId(id: string): Promise<void> {
    if ((await published?.paths())?.has(id)) throw sharedIdError(id);
  }

  return {
    partials: join(root, 'partial'),
    runs: join(root, 'runs'),
    async list() {
      const wizards: ListedWizard[] = [];
      const broken: BrokenFile[] = (await own.listMisnamed()).map((file) => ({ file, problem: INVALID_FILE_NAME }));
      for (const [id, { files, path, shared: isShared, hidesShared }] of await entries()) {
        const file = wizardFileName(id);
        await files.read(id, path).then(
          ({ wizard }) => wizards.push({ wizard, shared: isShared }),
          (error: unknown) => broken.push({ file, problem: problemOf(error) }),
        );
        if (hidesShared) broken.push({ file, problem: HIDES_SHARED_WIZARD });
      }
      return { wizards, broken };
    },
    async read(given) {
      const id = parseWizardId(given);
      const known = await entries();
      const entry = known.get(id);
      if (!entry) throw wizardNotFound(id, [...known.keys()]);
      const { wizard, ownSchema, written } = await entry.files.read(id, entry.path);
      const schema = ownSchema ?? buildUserDataSchema(wizard);
      return { wizard, schema, ownSchema: ownSchema !== undefined, path: entry.path, written };
    },
    checkNewId: (given) => checkNewId(parseNewWizardId(given)),
    async save(wizard, schema = buildUserDataSchema(wizard)) {
      const id = parseNewWizardId(wizard.wizard_id);
      await checkNewId(id);
      await makeHomeFolder(root);
      // One writer at a time: two that save the same id at once must not leave the wizard of one with the schema of the other.
      using _lock = await acquireFileLock(join(root, '.save.lock'), 'the wizards');
      const path = join(root, wizardFileName(id));
      const schemaPath = join(root, `${id}.schema.json`);
      const previous = await archivePreviousVersion(root, id, [path, schemaPath], check);
      await writeFileAtomic(schemaPath, pretty(schema));
      await writeFileAtomic(path, pretty(wizard));
      return { path, schemaPath, previous };
    },
    async savePartial(sessionId, content) {
      const path = partialPath(root, sessionId);
      await makeHomeFolder(join(root, 'partial'));
      await check(path);
      await writeFileAtomic(path, pretty(content));
      return path;
    },
    removePartial: (sessionId) => rm(partialPath(root, sessionId), { force: true }),
  };
}

async function archivePreviousVersion(
  root: string,
  id: string,
  paths: readonly string[],
  check: (path: string) => Promise<void>,
): Promise<string | undefined> {
  for (const path of paths) await check(path);
  const contents = await Promise.all(paths.map((path) => readFile(path).catch(() => undefined)));
  const [wizard, schema] = contents;
  if (!wizard) return undefined;
  const folder = join(root, 'versions', id);
  await check(folder);
  await makeHomeFolder(folder);
  const stamp = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}`;
  const kept = join(folder, `${stamp}.json`);
  await writeFileAtomic(kept, wizard);
  if (schema) await writeFileAtomic(join(folder, `${stamp}.schema.json`), schema);
  return kept;
}

const INVALID_FILE_NAME = 'The name of a wizard file consists of a-z, 0-9 and hyphens, such as fsa-estimator.json.';
const HIDES_SHARED_WIZARD =
  'The operator shares a wizard with the same id. Calls use your own wizard. Save it under another wizard_id to use both.';

function partialPath(root: string, sessionId: string): string {
  if (!/^[a-z0-9-]{1,64}$/i.test(sessionId))
    throw new Failure('bad_input', 'invalid_session', 'session_id is not the id of a discovery session.', {
      corrective_action: 'Call federalscout_start_discovery and use the session_id that it returns.',
    });
  return join(root, 'partial', `${sessionId}.json`);
}

function sharedIdError(id: string): Failure {
  const message = `wizard_id ${wizardFileName(id)} is the id of a wizard that the operator shares with every caller, so it cannot be overwritten.`;
  return new Failure('conflict', 'wizard_id_shared', message, {
    success: false,
    corrective_action: 'Call federalscout_complete_discovery again with another wizard_id.',
  });
}

function wizardNotFound(id: string, known: readonly string[]): Failure {
  const near = findNearestName(id, known);
  const hint = near ? ` Did you mean ${wizardFileName(near)}?` : known.length === 0 ? ' There are no wizards yet.' : '';
  return new Failure('not_found', 'wizard_not_found', `There is no wizard ${wizardFileName(id)}.${hint}`, {
    corrective_action:
      'Call federalrunner_list_wizards for the available wizards, or discover the form with federalscout_start_discovery.',
  });
}

const problemOf = (error: unknown) => (error instanceof Failure ? error.message : 'cannot be read');
const pretty = (value: unknown) => `${safeJson(value, 2)}\n`;
