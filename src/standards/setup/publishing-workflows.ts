import { stringify } from 'yaml';
import type { DetectedProject } from './detect-project.ts';
import type { NewFile } from './write-project-files.ts';

const trustedPublisherNote = (
  file: string,
) => `# Publishes without any stored secret: GitHub vouches for this workflow by a short-lived token (OpenID Connect).
# Once, on the package's page: name this repository, the file ${file} and the environment "release" as its
# trusted publisher. In the repository's settings, protect the environment "release".
`;

const checkout = { uses: 'actions/checkout@v4', with: { 'persist-credentials': false } };
const publishJob = {
  'runs-on': 'ubuntu-latest',
  environment: 'release',
  permissions: { contents: 'read', 'id-token': 'write' },
};
const releaseTrigger = { on: { release: { types: ['published'] } }, permissions: { contents: 'read' } };

function renderNpmWorkflow(lockfile: boolean): string {
  return stringify({
    name: 'Publish to npm',
    ...releaseTrigger,
    jobs: {
      publish: {
        ...publishJob,
        steps: [
          checkout,
          // The npm of this Node version supports trusted publishing.
          { uses: 'actions/setup-node@v4', with: { 'node-version': '24' } },
          { run: lockfile ? 'npm ci' : 'npm install' },
          { run: 'npm test --if-present' },
          { run: 'npm publish --provenance --access public' },
        ],
      },
    },
  });
}

/** Builds and publishes in separate jobs, so that the project's code runs without a token. */
function renderPythonWorkflow(): string {
  return stringify(
    {
      name: 'Publish to PyPI',
      ...releaseTrigger,
      jobs: {
        build: {
          'runs-on': 'ubuntu-latest',
          steps: [
            checkout,
            { uses: 'actions/setup-python@v5', with: { 'python-version': '3.x' } },
            { run: 'python -m pip install build' },
            { run: 'python -m build' },
            { uses: 'actions/upload-artifact@v4', with: { name: 'dist', path: 'dist/', 'if-no-files-found': 'error' } },
          ],
        },
        publish: {
          needs: 'build',
          ...publishJob,
          steps: [
            { uses: 'actions/download-artifact@v4', with: { name: 'dist', path: 'dist/' } },
            { uses: 'pypa/gh-action-pypi-publish@release/v1', with: { attestations: true } },
          ],
        },
      },
    },
    { aliasDuplicateObjects: false },
  );
}

/** Lists the publishing workflows of a project; notes explain why one is missing. */
export function listPublishingFiles({ node, python }: DetectedProject): { files: NewFile[]; notes: string[] } {
  const files: NewFile[] = [];
  const notes: string[] = [];
  if (node?.private) notes.push('no npm publishing: package.json is private');
  else if (node) files.push(workflowFile('.github/workflows/publish-npm.yml', renderNpmWorkflow(node.lockfile)));
  if (python) files.push(workflowFile('.github/workflows/publish-pypi.yml', renderPythonWorkflow()));
  if (!node && !python) notes.push('no publishing: neither package.json nor pyproject.toml found');
  return { files, notes };
}

function workflowFile(path: string, yaml: string): NewFile {
  return { path, content: trustedPublisherNote(path.split('/').at(-1) ?? path) + yaml };
}
