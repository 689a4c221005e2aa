import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import '../console/ui/fonts';
import { applyColorScheme } from '../console/ui/colorScheme';
import { App } from './App';
import { createAdminRouter } from './history';
import { startMonitoring } from './monitoring';

applyColorScheme();
startMonitoring();

const router = createAdminRouter([{ path: '*', element: <App /> }]);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
