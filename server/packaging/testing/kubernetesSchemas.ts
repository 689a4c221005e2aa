import { z } from 'zod';

/** The Kubernetes API fields that the chart uses, in the versions it names. Anything else fails, including typos. */

const texts = z.record(z.string(), z.string());
const metadata = z.strictObject({
  name: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/),
  labels: texts.optional(),
  annotations: texts.optional(),
});
const selector = z.strictObject({ matchLabels: texts });
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }),
  periodSeconds: z.int().optional(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
});
const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']),
  args: z.array(z.string()),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })).optional(),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  lifecycle: z
    .strictObject({ preStop: z.strictObject({ exec: z.strictObject({ command: z.array(z.string()) }) }) })
    .optional(),
  resources: z.strictObject({ requests: texts.optional(), limits: texts.optional() }).optional(),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.strictObject({ drop: z.array(z.string()) }),
  }),
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }),
  ),
});
const volume = z.union([
  z.strictObject({ name: z.string(), emptyDir: z.strictObject({}) }),
  z.strictObject({
    name: z.string(),
    projected: z.strictObject({
      defaultMode: z.int(),
      sources: z.array(
        z.strictObject({
          secret: z.strictObject({
            name: z.string(),
            items: z.array(z.strictObject({ key: z.string(), path: z.string() })),
          }),
        }),
      ),
    }),
  }),
]);
const podTemplate = z.strictObject({
  metadata: metadata.omit({ name: true }),
  spec: z.strictObject({
    serviceAccountName: z.string().optional(),
    automountServiceAccountToken: z.boolean(),
    enableServiceLinks: z.boolean(),
    restartPolicy: z.literal('Never').optional(),
    terminationGracePeriodSeconds: z.int().optional(),
    securityContext: z.strictObject({
      runAsNonRoot: z.boolean(),
      runAsUser: z.int(),
      runAsGroup: z.int(),
      fsGroup: z.int(),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    imagePullSecrets: z.array(z.strictObject({ name: z.string() })).optional(),
    topologySpreadConstraints: z
      .array(
        z.strictObject({
          maxSkew: z.int(),
          topologyKey: z.string(),
          whenUnsatisfiable: z.literal('ScheduleAnyway'),
          labelSelector: selector,
        }),
      )
      .optional(),
    containers: z.tuple([container]),
    volumes: z.array(volume),
    nodeSelector: texts.optional(),
    tolerations: z.array(z.unknown()).optional(),
    affinity: z.unknown().optional(),
  }),
});

export const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    replicas: z.int(),
    strategy: z.strictObject({
      type: z.literal('RollingUpdate'),
      rollingUpdate: z.strictObject({ maxSurge: z.int(), maxUnavailable: z.int() }),
    }),
    selector,
    template: podTemplate,
  }),
});
const budget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata,
  spec: z.strictObject({ maxUnavailable: z.union([z.int(), z.string()]), selector }),
});
export const job = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('Job'),
  metadata,
  spec: z.strictObject({ backoffLimit: z.int(), activeDeadlineSeconds: z.int(), template: podTemplate }),
});
const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    type: z.enum(['ClusterIP', 'NodePort', 'LoadBalancer']),
    ports: z.array(z.strictObject({ name: z.string(), port: z.int(), targetPort: z.string() })),
    selector: texts,
  }),
});
const serviceAccount = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ServiceAccount'),
  metadata,
  automountServiceAccountToken: z.boolean(),
});
const ingress = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('Ingress'),
  metadata,
  spec: z.strictObject({
    ingressClassName: z.string().optional(),
    tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: z.string() })),
    rules: z.array(
      z.strictObject({
        host: z.string(),
        http: z.strictObject({
          paths: z.array(
            z.strictObject({
              path: z.string(),
              pathType: z.literal('Prefix'),
              backend: z.strictObject({
                service: z.strictObject({ name: z.string(), port: z.strictObject({ name: z.string() }) }),
              }),
            }),
          ),
        }),
      }),
    ),
  }),
});
export const manifest = z.discriminatedUnion('kind', [
  deployment,
  budget,
  job,
  service,
  serviceAccount,
  ingress,
]);
