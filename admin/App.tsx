import { brandName } from '../console/ui/brand/installation';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { CoreAdminContext, CoreAdminUI, CustomRoutes, Resource } from 'react-admin';
import { Route } from 'react-router';
import { ErrorNotice } from '../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../console/ui/feedback/Skeletons';
import { UiProvider } from '../console/ui/UiProvider';
import { authProvider } from './authProvider';
import { createDataProvider } from './dataProvider';
import { BackBlocker } from './frame/BackBlocker';
import { Layout } from './frame/Layout';
import { makeHoldPage } from './frame/pageHolds';
import { InternalRoutes, routerProvider } from './frame/router';
import { RouterLink } from './frame/RouterLink';
import { StepUpHost } from './frame/StepUpHost';
import { failedRead, problemOf } from './http';
import { i18nProvider } from './i18n';
import { pageErrors } from './monitoring';
import { childRoutes } from './pages/childRoutes';
import { CrashPage, ForbiddenPage, NotFoundPage, RefusedPage } from './pages/Fallback';
import { withPageSkeleton } from './pages/lazyPage';
import { ListPage } from './lists/ListPage';
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
import { ownValue } from '../console/lib/ownValue';
import { retryUnanswered } from '../console/lib/recovery';
import { lazyWithRetry } from '../console/ui/lazyWithRetry';

// Users usually open lists first; other pages load on demand.
const Dashboard = lazyWithRetry(() =>
  import('./dashboard/Dashboard').then((m) => ({ default: m.Dashboard })),
);
const ShowPage = lazyWithRetry(() => import('./pages/ShowPage').then((m) => ({ default: m.ShowPage })));
const EditPage = lazyWithRetry(() => import('./pages/EditPage').then((m) => ({ default: m.EditPage })));
const RecordPageTabs = lazyWithRetry(() =>
  import('./pages/RecordTabs').then((m) => ({ default: m.RecordPageTabs })),
);
const ViewingPage = lazyWithRetry(() =>
  import('./pages/ViewingPage').then((m) => ({ default: m.ViewingPage })),
);
const CreatePage = lazyWithRetry(() => import('./pages/CreatePage').then((m) => ({ default: m.CreatePage })));

const dataProvider = createDataProvider();
const queryClient = createQueryClient();

/** Routes of a resource: one page for each operation in the API document. */
function resourceElement(resource: ResourceDescription) {
  const { list, show, create, edit } = resource.permissions;
  return (
    <Resource
      key={resource.name}
      name={resource.name}
      {...(list === undefined ? {} : { list: <ListPage resource={resource} /> })}
      {...(show === undefined ? {} : { show: withPageSkeleton(<ShowPage resource={resource} />) })}
      {...(create === undefined ? {} : { create: withPageSkeleton(<CreatePage resource={resource} />) })}
      {...(edit === undefined ? {} : { edit: withPageSkeleton(<EditPage resource={resource} />) })}
    >
      {ownValue(recordPages, resource.name)?.map(({ path, permission, component: Page }) => (
        <Route
          key={path}
          path={`:id/${path}`}
          element={withPageSkeleton(
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

const DashboardPage = () => withPageSkeleton(<Dashboard />);

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
      routerProvider={routerProvider}
    >
      <CoreAdminUI
        layout={Layout}
        dashboard={DashboardPage}
        catchAll={() => <NotFoundPage />}
        error={({ error }: { error: Error }) => <CrashPage error={error} landmark />}
        disableTelemetry
        title={brandName()}
      >
        {resources.map(resourceElement)}
        <CustomRoutes>
          {areaPagesOf(session).map(({ path, permission, component: Page }) => (
            <Route
              key={path}
              path={`/${path}`}
              element={withPageSkeleton(
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

/** Loads the session before showing anything. */
function Gate() {
  const [session, setSession] = useState(() => (knownSession()?.user ? knownSession() : undefined));
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let current = true;
    loadSession().then(
      (found) => {
        if (!current) return;
        pageErrors.configure(found.environment);
        if (found.user) setSession(found);
        else goToLogin();
      },
      (error: unknown) => current && setFailure(error),
    );
    return () => {
      current = false;
    };
  }, [attempt]);
  const retry = () => {
    setFailure(undefined);
    setAttempt((last) => last + 1);
  };
  const retried = useEffectEvent(retry);
  useEffect(() => retryUnanswered(failedRead(failure), () => retried()), [failure]);
  if (failure)
    return (
      <main style={{ padding: 24 }}>
        <ErrorNotice problem={problemOf(failure, 'Couldn’t load the admin area', retry)} />
      </main>
    );
  if (!session) return <PageSkeleton label="Loading the admin area" rows={0} />;
  if (session.view_as)
    return withPageSkeleton(<ViewingPage viewing={session.view_as} as={session.user?.username ?? ''} />);
  if (session.platform_role === null) return <ForbiddenPage session={session} />;
  return (
    <SessionContext value={session}>
      <InternalRoutes>
        <Area />
      </InternalRoutes>
    </SessionContext>
  );
}

export function App() {
  const [holders, setHolders] = useState(0);
  const [holdPage] = useState(() => makeHoldPage(window, setHolders));
  return (
    <UiProvider link={RouterLink} holdPage={holdPage}>
      {holders > 0 && <BackBlocker />}
      <Gate />
      <StepUpHost />
    </UiProvider>
  );
}
