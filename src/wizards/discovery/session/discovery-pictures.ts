import type { KeptPicture } from '../../../platform/files/kept-picture.ts';

/** The pictures of discoveries, each for its owner and as long as its session. They are in memory. */
export interface DiscoveryPictures {
  keep(discoveryId: string, owner: string, jpeg: Uint8Array): KeptPicture;
  /** Undefined if there is no such picture, or if it belongs to another owner. `picture` is the last part of its URI. */
  find(picture: string, owner: string): Uint8Array | undefined;
  remove(discoveryId: string): void;
}

interface Album {
  owner: string;
  taken: number;
  pictures: Map<string, Uint8Array>;
}

/** The newest pictures of a discovery, of at most 100 kB each. */
const MAX_PICTURES = 20;
/** Discoveries that failed before they had a session: nothing else would remove their pictures. */
const MAX_FAILED = 20;

const DISCOVERY_PICTURES = 'wizards://discoveries/';

/** The resource that `keep` names. */
export const discoveryPictureTemplate = `${DISCOVERY_PICTURES}{discoveryPicture}`;

/** `isOpen` tells whether a discovery has a session, which removes its pictures. */
export function createDiscoveryPictures(isOpen: (discoveryId: string) => boolean): DiscoveryPictures {
  const albums = new Map<string, Album>();

  function dropOldest(): void {
    const failed = [...albums.keys()].filter((id) => !isOpen(id));
    for (const id of failed.slice(0, -MAX_FAILED)) albums.delete(id);
  }

  return {
    keep(discoveryId, owner, data) {
      const album: Album = albums.get(discoveryId) ?? { owner, taken: 0, pictures: new Map() };
      albums.set(discoveryId, album);
      const number = ++album.taken;
      const picture = `${discoveryId}.${number}.jpg`;
      album.pictures.set(picture, data);
      const [oldest] = album.pictures.keys();
      if (album.pictures.size > MAX_PICTURES && oldest !== undefined) album.pictures.delete(oldest);
      dropOldest();
      return { uri: `${DISCOVERY_PICTURES}${picture}`, name: 'Screenshot', data, mimeType: 'image/jpeg' };
    },
    find(picture, owner) {
      const album = albums.get(picture.split('.')[0] ?? '');
      return album?.owner === owner ? album.pictures.get(picture) : undefined;
    },
    remove: (discoveryId) => void albums.delete(discoveryId),
  };
}
