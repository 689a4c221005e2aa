import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { watchConnection } from '../console/lib/connection';
import { applyColorScheme } from '../console/ui/colorScheme';
import { App } from './App';
import { pageErrors } from './monitoring';
import { BASE } from './paths';
import { loadSession } from './session';

applyColorScheme();
watchConnection();
pageErrors.start();

// A data router, which react-admin needs to hold back navigation away from unsaved changes.
const router = createBrowserRouter([{ path: '*', element: <App /> }], { basename: BASE });

const start = () =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );

/** Maximum delay before the first render, ms; too short to notice. */
const WAIT_MS = 50;

// The session is preloaded with the page's code and usually ready by now, which avoids a signed-out first frame.
void Promise.race([
  loadSession().catch(() => undefined),
  new Promise((over) => setTimeout(over, WAIT_MS)),
]).then(start);
