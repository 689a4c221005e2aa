import { Component, type ReactNode } from 'react';
import { CrashPage } from './CrashPage';

interface State {
  error: unknown;
  failed: boolean;
}

/** The outermost error boundary, around the router. Pages have the router's own boundaries inside it. */
export class AppErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override render() {
    return this.state.failed ? <CrashPage error={this.state.error} /> : this.props.children;
  }
}
