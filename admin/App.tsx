import { lazy, useEffect, useState, type ReactNode } from 'react';
import { CoreAdminContext, CoreAdminUI, CustomRoutes, Resource } from 'react-admin';
import { Route } from 'react-router';
import { ErrorNotice } from '../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../console/ui/feedback/Skeletons';
import { UiProvider } from '../console/ui/UiProvider';
import { authProvider } from './authProvider';
import { createDataProvider } from './dataProvider';
import { Layout } from './frame/Layout';
import { RouterLink } from './frame/RouterLink';
import { StepUpHost } from './frame/StepUpHost';
import { problemOf } from './http';
import { i18nProvider } from './i18n';
import { configureMonitoring } from './monitoring';
import { childRoutes } from './pages/childRoutes';
import { CrashPage, ForbiddenPage, NotFoundPage, RefusedPage } from './pages/Fallback';
import { later } from './pages/later';
import { ListPage } from './pages/ListPage';
import { createQueryClient } from './queryClient';
import { areaPagesOf, recordPages } from './resources';
import { resources } from './schema/resources';
import type { ResourceDescription } from './schema/types';
import {
  goToLogin,
  knownSession,
  loadSession,
  SessionContext,
  usePermissionRefusal,
  useSession,
} from './session';

// Lists are what people open first; the rest comes when it is gone to.
const Dashboard = lazy(() => import('./dashboard/Dashboard').then((m) => ({ default: m.Dashboard })));
const ShowPage = lazy(() => import('./pages/ShowPage').then((m) => ({ default: m.ShowPage })));
const EditPage = lazy(() => import('./pages/EditPage').then((m) => ({ default: m.EditPage })));
const RecordPageTabs = lazy(() => import('./pages/RecordTabs').then((m) => ({ default: m.RecordPageTabs })));
const ViewingPage = lazy(() => import('./pages/ViewingPage').then((m) => ({ default: m.ViewingPage })));
const CreatePage = lazy(() => import('./pages/CreatePage').then((m) => ({ default: m.CreatePage })));

const dataProvider = createDataProvider();
const queryClient = createQueryClient();

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
      {recordPages[resource.name]?.map(({ path, permission, component: Page }) => (
        <Route
          key={path}
          path={`:id/${path}`}
          element={later(
            <Allowed permission={permission}>
              <RecordPageTabs resource={resource} />
              <Page resource={resource} />
            </Allowed>,
          )}
        />
      ))}
      {childRoutes(resource)}
      <Route path="*" element={<NotFoundPage />} />
    </Resource>
  );
}

const DashboardPage = () => later(<Dashboard />);

function Allowed({ permission, children }: { permission: string; children: ReactNode }) {
  const refused = usePermissionRefusal()(permission);
  return refused === undefined ? children : <RefusedPage reason={refused} />;
}

function Area() {
  const session = useSession();
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
        <CustomRoutes>
          {areaPagesOf(session).map(({ path, permission, component: Page }) => (
            <Route
              key={path}
              path={`/${path}`}
              element={later(
                <Allowed permission={permission}>
                  <Page />
                </Allowed>,
              )}
            />
          ))}
        </CustomRoutes>
      </CoreAdminUI>
    </CoreAdminContext>
  );
}

/** Who asks is known before anything of the area is shown. */
function Gate() {
  const [session, setSession] = useState(() => (knownSession()?.user ? knownSession() : undefined));
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
  if (session.view_as)
    return later(<ViewingPage viewing={session.view_as} as={session.user?.username ?? ''} />);
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
      <StepUpHost />
    </UiProvider>
  );
}
