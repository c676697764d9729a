/** A folder or file the operator chose: the token stands for the path, the label is for reading. */
export interface PickedPath {
  readonly token: string
  readonly label: string
}
