import { createHash } from 'node:crypto';
import { invalidArgument, requireOwnedInProject, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import type { PrdFile, QaRepositories } from '../store/qa-store.ts';
import type { PageRequest, ResultPage } from '../store/result-page.ts';
import { decodeBase64 } from './base64.ts';
import { LONGEST_REQUIREMENT } from './find-requirements.ts';
import { readInProcess } from './read-in-process.ts';

interface PrdUpload {
  fileName: string;
  contentBase64: string;
  contentType: string;
}

export interface PrdFileWithCount {
  file: PrdFile;
  requirementCount: number;
}

/** Reads a document and stores its text and requirements. Rejects the same content twice in a project. */
export async function uploadPrdFile(qa: QaContext, projectId: string, upload: PrdUpload): Promise<PrdFileWithCount> {
  const { store, owner } = qa;
  await requireProject(qa, projectId);
  const fileName = checkFileName(upload.fileName);
  const bytes = decodeBase64(upload.contentBase64);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await rejectDuplicate(qa, projectId, sha256);
  const read = await readInProcess(qa, bytes, { fileName, contentType: upload.contentType });
  const { contentType } = read;
  // Such documents often contain test accounts.
  const { redactor } = await openProjectSecrets(store, qa.vault, projectId);
  const text = redactor.text(read.text);
  const found = read.requirements.map(({ kind, ref, section, text: requirement }) => ({
    kind,
    ref: ref && redactor.text(ref),
    section: section && redactor.text(section),
    text: redactor.text(requirement).slice(0, LONGEST_REQUIREMENT),
  }));
  const facts = {
    owner,
    projectId,
    fileName: redactor.text(fileName),
    contentType,
    fileSize: bytes.length,
    sha256,
    text,
  };
  try {
    return await store.transaction(async ({ prdFiles, requirements }) => {
      const file = await prdFiles.insert(facts);
      const rows = found.map((one, position) => ({ ...one, owner, projectId, prdFileId: file.id, position }));
      await requirements.insertAll(rows);
      return { file, requirementCount: rows.length };
    });
  } catch (error) {
    // A concurrent call may have uploaded it.
    await rejectDuplicate(qa, projectId, sha256);
    throw error;
  }
}

export async function listPrdFiles(
  qa: QaContext,
  projectId: string,
  request: PageRequest,
): Promise<ResultPage<PrdFileWithCount>> {
  await requireProject(qa, projectId);
  const { prdFiles, requirements } = qa.store;
  const page = await prdFiles.page({ projectId }, request);
  const known = page.data.map(async (file) => ({
    file,
    requirementCount: await requirements.count({ prdFileId: file.id }),
  }));
  return { ...page, data: await Promise.all(known) };
}

export async function deletePrdFile(qa: QaContext, projectId: string, prdFileId: string): Promise<void> {
  await requireProject(qa, projectId);
  await requireOwnedInProject(qa, projectId, qa.store.prdFiles, 'prdFileId', prdFileId);
  await qa.store.transaction(async (tables) => {
    const gone = (await tables.requirements.list({ prdFileId })).map(({ id }) => id);
    await tables.gaps.removeAll({ projectId, requirementId: gone });
    await removeRequirementIds(tables.candidates, projectId, gone);
    await removeRequirementIds(tables.useCases, projectId, gone);
    await tables.prdFiles.remove(prdFileId);
  });
}

/** Removes deleted requirements from the rows that cover them. */
async function removeRequirementIds(
  repository: QaRepositories['candidates'] | QaRepositories['useCases'],
  projectId: string,
  gone: readonly string[],
): Promise<void> {
  for (const { id, requirements, updatedAt } of await repository.list({ projectId })) {
    const left = requirements.filter((one) => !gone.includes(one));
    if (left.length < requirements.length) await repository.update(id, { requirements: left, updatedAt });
  }
}

async function rejectDuplicate({ store }: QaContext, projectId: string, sha256: string): Promise<void> {
  const same = await store.prdFiles.first({ projectId, sha256 });
  if (!same) return;
  const message = `The project has this file already: ${same.id} (${JSON.stringify(same.fileName)}). Use that one, or delete it first with qa_prd_file_delete.`;
  throw invalidArgument('contentBase64', message, { existingPrdFileId: same.id, contentChecksum: sha256 });
}

/** The name is shown only and never used as a path. */
function checkFileName(given: string): string {
  const name = given.trim();
  if (name !== '' && !/[/\\\p{Cc}]/u.test(name)) return name;
  throw invalidArgument('fileName', 'fileName must be a plain name such as requirements.pdf, without folders.');
}
