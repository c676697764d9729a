import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

interface ErrorBoundaryProps {
  /** What stopped working, as in `the matrix`. */
  readonly what: string
  readonly children: ReactNode
}

/** Keeps a fault of one pane to that pane: unsaved text lives in the store, outside, and stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | null }> {
  override state = { error: null }

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(`Lab Planner: ${this.props.what} failed`, error, info.componentStack)
  }

  override render(): ReactNode {
    const { error } = this.state as { error: Error | null }
    if (error === null) return this.props.children
    return (
      <EmptyState
        title={`Something went wrong in ${this.props.what}`}
        actions={<Button onClick={() => this.setState({ error: null })}>Try again</Button>}
      >
        Nothing is lost: your unsaved overlay is kept. ({error.message})
      </EmptyState>
    )
  }
}
