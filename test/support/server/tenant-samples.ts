/** Values for the other arguments that a tool with an id requires. Each must be here. */
export const samples: Record<string, unknown> = {
  lcovPath: 'any.info',
  projectName: 'Taken over',
  fileName: 'a.txt',
  contentBase64: Buffer.from('The page must open.').toString('base64'),
  name: 'OTHER',
  value: 'another value',
  title: 'Taken over',
  description: 'Taken over',
  url: 'http://127.0.0.1:9/',
  steps: [
    { do: 'goto', url: '/' },
    { do: 'expectText', text: 'Welcome' },
  ],
  path: 'exported',
  channels: [],
  selector: 'Send entry',
  actions: [{ action: 'fill', selector: 'Full name', value: 'Mallory' }],
  page_metadata: {},
  wizard_name: 'Taken over',
  user_data: { full_name: 'Mallory' },
};
