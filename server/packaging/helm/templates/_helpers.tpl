{{- define "teehouse.name" -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "teehouse.labels" -}}
app.kubernetes.io/name: teehouse
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end }}

{{- define "teehouse.selector" -}}
app.kubernetes.io/name: teehouse
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "teehouse.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "teehouse.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "teehouse.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end }}

{{- define "teehouse.env" -}}
- name: PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: "3000"
- name: DATA_DIR
  value: /var/lib/teehouse
{{- range $name, $source := .Values.secrets }}
- name: {{ $name }}_FILE
  value: /etc/teehouse/secrets/{{ $name }}
{{- end }}
{{- range $name, $value := .Values.config }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "teehouse.mounts" -}}
- name: secrets
  mountPath: /etc/teehouse/secrets
  readOnly: true
- name: data
  mountPath: /var/lib/teehouse
- name: tmp
  mountPath: /tmp
{{- end }}

{{- define "teehouse.volumes" -}}
- name: secrets
  projected:
    defaultMode: 288
    sources:
      {{- range $name, $source := .Values.secrets }}
      - secret:
          name: {{ $source.name | quote }}
          items:
            - key: {{ $source.key | quote }}
              path: {{ $name }}
      {{- end }}
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- end }}
