import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './pane.module.css'

interface PaneProps {
  /** The region's accessible name. */
  readonly name: string
  /** What the head shows; the name when it is left out. */
  readonly title?: ReactNode
  readonly subtitle?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** For a body that scrolls on its own, such as an editor. */
  readonly bodyClassName?: string | undefined
  /** The body is text to read: it can be focused, so that keys scroll it where nothing in it has the focus. */
  readonly reading?: boolean
  /** What the body shows: when it changes, the body starts at its top again. */
  readonly topFor?: string | undefined
}

/** One panel of the window: a named region with a head and a body that scrolls. */
export function Pane(props: PaneProps): ReactNode {
  const { name, title, subtitle, actions, children, bodyClassName, reading, topFor } = props
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    body.current?.scrollTo(0, 0)
  }, [topFor])
  return (
    <section className={styles.pane} aria-label={name} data-pane={name} tabIndex={-1}>
      <header className={styles.head}>
        <h2 className={styles.title} title={title === undefined ? name : undefined}>
          {title ?? name}
        </h2>
        {subtitle === undefined ? null : (
          <div className={styles.subtitle} title={typeof subtitle === 'string' ? subtitle : undefined}>
            {subtitle}
          </div>
        )}
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </header>
      <div
        ref={body}
        className={classes(styles.body, bodyClassName)}
        {...(reading ? { tabIndex: 0, role: 'group', 'aria-label': `${name}, text` } : {})}
      >
        {children}
      </div>
    </section>
  )
}
