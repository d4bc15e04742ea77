import { inputRequired } from '@modelcontextprotocol/server';

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

export const askFor = (
  message: string,
  property: string,
  schema: { type: 'string' } | { type: 'boolean' } = { type: 'string' },
) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [property]: schema }, required: [property] },
  });
