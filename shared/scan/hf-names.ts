const REPO_FOLDER = /^models--(.+)$/

/** The repo that a folder of the Hugging Face cache holds (`models--ORG--NAME` is `ORG/NAME`), or null. */
export function hfRepoOf(folderName: string): string | null {
  const name = REPO_FOLDER.exec(folderName)?.[1]
  // Neither an organisation nor a repo may have two dashes in a row, so each pair stands for a slash.
  return name === undefined ? null : name.replaceAll('--', '/')
}

/** The part of a repo that names the model: `NAME` of `ORG/NAME`. */
export function repoTail(repo: string): string {
  return repo.slice(repo.lastIndexOf('/') + 1)
}
