import { TextLines } from '../text-lines.ts'
import type { Overlay, OverlayDocument } from './types.ts'

/** `document` with another overlay; it is of no text, so nothing is mentioned anywhere. */
export function withOverlay(document: OverlayDocument | null, overlay: Overlay): OverlayDocument {
  return {
    file: document?.file ?? 'overlay.yaml',
    lines: document?.lines ?? new TextLines(''),
    overlay,
    mentions: [],
  }
}
