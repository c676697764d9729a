/**
 * The context of `canvas`, sized to `width` × `height` CSS pixels at `ratio` device pixels each and cleared.
 * A canvas of the right size is cleared without being allocated again.
 */
export function clearedContext(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio: number,
): CanvasRenderingContext2D | null {
  const deviceWidth = Math.max(1, Math.round(width * ratio))
  const deviceHeight = Math.max(1, Math.round(height * ratio))
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight
  const context = canvas.getContext('2d')
  if (context === null) return null
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, deviceWidth, deviceHeight)
  context.setTransform(deviceWidth / width, 0, 0, deviceHeight / height, 0, 0)
  return context
}
