import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { CoreAdminContext, CoreAdminUI, Resource } from 'react-admin';
import { Route } from 'react-router';
import type { Session } from '../generated/api/types.gen';
import { ErrorNotice } from '../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../console/ui/feedback/Skeletons';
import { UiProvider } from '../console/ui/UiProvider';
import { authProvider } from './authProvider';
import { createDataProvider } from './dataProvider';
import { Layout } from './frame/Layout';
import { RouterLink } from './frame/RouterLink';
import { problemOf } from './http';
import { i18nProvider } from './i18n';
import { configureMonitoring } from './monitoring';
import { ChildListPage } from './pages/ChildListPage';
import { CrashPage, ForbiddenPage, NotFoundPage } from './pages/Fallback';
import { ListPage } from './pages/ListPage';
import { createQueryClient } from './queryClient';
import { pointingAt, resources } from './resources';
import type { ResourceDescription } from './schema/types';
import { goToLogin, loadSession, SessionContext } from './session';

// Lists are what people open first; the rest comes when it is gone to.
const Dashboard = lazy(() => import('./dashboard/Dashboard').then((m) => ({ default: m.Dashboard })));
const ShowPage = lazy(() => import('./pages/ShowPage').then((m) => ({ default: m.ShowPage })));
const EditPage = lazy(() => import('./pages/EditPage').then((m) => ({ default: m.EditPage })));
const CreatePage = lazy(() => import('./pages/CreatePage').then((m) => ({ default: m.CreatePage })));

const dataProvider = createDataProvider();
const queryClient = createQueryClient();

const later = (page: ReactNode) => <Suspense fallback={<PageSkeleton />}>{page}</Suspense>;

/** A resource exists because the document has its operations, a page of it because the document has that one. */
function resourceElement(resource: ResourceDescription) {
  const { list, show, create, edit } = resource.permissions;
  return (
    <Resource
      key={resource.name}
      name={resource.name}
      {...(list === undefined ? {} : { list: <ListPage resource={resource} /> })}
      {...(show === undefined ? {} : { show: later(<ShowPage resource={resource} />) })}
      {...(create === undefined ? {} : { create: later(<CreatePage resource={resource} />) })}
      {...(edit === undefined ? {} : { edit: later(<EditPage resource={resource} />) })}
    >
      {pointingAt(resource.name).map(({ resource: child, field }) => (
        <Route
          key={child.name}
          path={`:id/${child.name}`}
          element={<ChildListPage parent={resource} resource={child} field={field} />}
        />
      ))}
      <Route path="*" element={<NotFoundPage />} />
    </Resource>
  );
}

const DashboardPage = () => later(<Dashboard />);

function Area() {
  return (
    <CoreAdminContext
      dataProvider={dataProvider}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      queryClient={queryClient}
    >
      <CoreAdminUI
        layout={Layout}
        dashboard={DashboardPage}
        catchAll={() => <NotFoundPage />}
        error={({ error }: { error: Error }) => <CrashPage error={error} landmark />}
        disableTelemetry
        title="Teehouse"
      >
        {resources.map(resourceElement)}
      </CoreAdminUI>
    </CoreAdminContext>
  );
}

/** Who asks is known before anything of the area is shown. */
function Gate() {
  const [session, setSession] = useState<Session>();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let current = true;
    loadSession().then(
      (found) => {
        if (!current) return;
        configureMonitoring(found.environment);
        if (found.user) setSession(found);
        else goToLogin();
      },
      (error: unknown) => current && setFailure(error),
    );
    return () => {
      current = false;
    };
  }, [attempt]);
  if (failure)
    return (
      <main style={{ padding: 24 }}>
        <ErrorNotice
          problem={problemOf(failure, 'The admin area could not start', () => {
            setFailure(undefined);
            setAttempt(attempt + 1);
          })}
        />
      </main>
    );
  if (!session) return <PageSkeleton label="Loading the admin area" rows={0} />;
  if (session.platform_role === null) return <ForbiddenPage email={session.user?.email ?? ''} />;
  return (
    <SessionContext value={session}>
      <Area />
    </SessionContext>
  );
}

export function App() {
  return (
    <UiProvider link={RouterLink}>
      <Gate />
    </UiProvider>
  );
}
