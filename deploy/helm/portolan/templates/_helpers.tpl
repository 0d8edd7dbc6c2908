{{- define "portolan.labels" -}}
app.kubernetes.io/name: portolan
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "portolan.selector" -}}
app.kubernetes.io/name: portolan
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "portolan.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- /* As a variable has it: YAML's numbers are floating ones here, of which a large one would be written as 1e+07. */ -}}
{{- define "portolan.value" -}}
{{- if or (kindIs "map" .) (and (kindIs "slice" .) (kindIs "map" (first .))) }}{{ toJson . }}
{{- else if kindIs "slice" . }}{{ join "," . }}
{{- else if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}
{{- else }}{{ . }}
{{- end }}
{{- end }}

{{- define "portolan.container" -}}
image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ .Values.existingSecret | quote }} }
env:
  - { name: BASE_URL, value: {{ .Values.baseUrl | quote }} }
  {{- with .Values.trustedProxies }}
  - { name: TRUSTED_PROXIES, value: {{ join "," . | quote }} }
  {{- end }}
  {{- range $name, $value := .Values.options }}
  - { name: {{ $name }}, value: {{ include "portolan.value" $value | quote }} }
  {{- end }}
{{- with .Values.workingDirectory }}
workingDir: {{ . | quote }}
{{- end }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "portolan.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 7575
  runAsGroup: 7575
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - { name: tmp, emptyDir: {} }
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
