import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import '../console/ui/fonts';
import { applyColorScheme } from '../console/ui/colorScheme';
import { App } from './App';
import { createAdminRouter } from './history';
import { startMonitoring } from './monitoring';
import { loadSession } from './session';

applyColorScheme();
startMonitoring();

const router = createAdminRouter([{ path: '*', element: <App /> }]);

const start = () =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );

/** How long nothing is drawn, ms: less than people see. */
const WAIT_MS = 50;

// Asked for with the page's code, it is mostly there by now: then no frame is drawn in which nobody is known.
void Promise.race([
  loadSession().catch(() => undefined),
  new Promise((over) => setTimeout(over, WAIT_MS)),
]).then(start);
