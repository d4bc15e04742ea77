/** A screenshot that its owner can read again as a resource. */
export interface KeptPicture {
  /** URI of the resource. */
  uri: string;
  /** What it shows, e.g. "Page 3". */
  name: string;
  data: Uint8Array;
  mimeType: 'image/jpeg';
  /** The file of the resource, if it is one. */
  path?: string;
}
