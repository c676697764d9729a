import { ArrowUp, FileText, Folder } from 'lucide-react'
import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import type { FolderListing, HostClient, HostResult } from '../../shared/host-api.ts'
import type { PickedPath } from '../../shared/picked-path.ts'
import { IconButton } from './button.tsx'
import styles from './folder-browser.module.css'

interface FolderBrowserProps {
  readonly client: HostClient
  /** Called with the folder that is shown, first of all with the one to start from. */
  readonly onFolder: (folder: PickedPath) => void
  /** Files are shown, and can be picked, only when this is given. */
  readonly onFile?: (file: PickedPath) => void
}

/** Folders of the host's machine, walked by tokens, for hosts that have no native dialog. */
export function FolderBrowser({ client, onFolder, onFile }: FolderBrowserProps): ReactNode {
  const [listing, setListing] = useState<FolderListing | null>(null)
  const [error, setError] = useState<string | null>(null)
  const show = useCallback(
    (result: HostResult<FolderListing>): void => {
      if (result.ok) {
        setListing(result.value)
        setError(null)
        onFolder(result.value.here)
      } else setError(result.error.message)
    },
    [onFolder],
  )
  const go = async (token: string | null): Promise<void> => show(await client.call.browse({ token }))
  useEffect(() => {
    let wanted = true
    void client.call.browse({ token: null }).then((result) => {
      if (wanted) show(result)
    })
    return () => {
      wanted = false
    }
  }, [client, show])
  const files = onFile ? (listing?.files ?? []) : []
  return (
    <div className={styles.browser}>
      <div className={styles.here}>
        <IconButton
          label="Up"
          icon={<ArrowUp size={14} />}
          variant="quiet"
          disabled={listing?.parent === null || listing === null}
          onClick={() => void go(listing?.parent?.token ?? null)}
        />
        <span className={styles.path} title={listing?.here.label} aria-label="Folder">
          <bdi>{listing?.here.label ?? '…'}</bdi>
        </span>
      </div>
      <ul className={styles.entries} aria-label="Folders and files">
        {listing?.folders.map((folder) => (
          <li key={folder.token}>
            <button type="button" className={styles.entry} onClick={() => void go(folder.token)}>
              <Folder size={14} aria-hidden="true" />
              {fileName(folder.label)}
            </button>
          </li>
        ))}
        {files.map((file) => (
          <li key={file.token}>
            <button type="button" className={styles.entry} onClick={() => onFile?.(file)}>
              <FileText size={14} aria-hidden="true" />
              {fileName(file.label)}
            </button>
          </li>
        ))}
        {error === null ? null : <li className={styles.none}>{error}</li>}
        {listing !== null && listing.folders.length === 0 && files.length === 0 && error === null ? (
          <li className={styles.none}>Nothing to open in here.</li>
        ) : null}
      </ul>
    </div>
  )
}
