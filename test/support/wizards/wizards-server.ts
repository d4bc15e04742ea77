import { afterAll, beforeAll } from 'vitest';
import { type FixtureName, fixtures } from '../../sites/forms/index.ts';
import type { FormSite, SiteOptions } from '../../sites/forms/server.ts';
import { type Connection, connectStdio } from '../assay.ts';
import { type Folder, newFolder } from '../folders.ts';
import { readPicture } from '../server/pictures.ts';
import { putWizard, wizardEnvironment } from './wizards.ts';

/** A server with the wizards toolset for all tests of a file, with helpers to call tools. */
export function wizardServer() {
  let folder: Folder;
  let home: string;
  let client: Connection;
  let wizards = 0;
  beforeAll(async () => {
    folder = await newFolder();
    const env = await wizardEnvironment(folder);
    home = env['ASSAY_HOME'] ?? '';
    client = await connectStdio('modern', { args: ['--toolsets', 'wizards'], env });
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  /** Starts a fixture site and writes a wizard for it under a new id. */
  async function prepared(name: FixtureName, options: SiteOptions = {}): Promise<FormSite & { id: string }> {
    const site = await fixtures[name].start(options);
    const id = `${name}-${++wizards}`;
    await putWizard(home, name, site.url, id);
    return Object.assign(site, { id });
  }

  async function call(name: string, args: Record<string, unknown>, options: object = {}) {
    const answer = await client.callTool({ name, arguments: args }, options);
    const blocks = Array.isArray(answer.content) ? answer.content : [];
    return {
      isError: answer.isError === true,
      data: JSON.parse(JSON.stringify(answer.structuredContent ?? {})),
      text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
      pictures: blocks.flatMap((block) => (block.type === 'image' ? [block] : [])),
    };
  }

  const execute = (wizard_id: string, user_data: object, options: object = {}) =>
    call('federalrunner_execute_wizard', { wizard_id, user_data, options });

  const picture = (uri: string) => readPicture(client, uri);

  return { prepared, call, execute, picture, home: () => home, folder: () => folder };
}

/** The first set of data of a fixture site. */
export const dataOf = (name: FixtureName) => fixtures[name].sets(1)[0]?.data ?? {};

export const stamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
