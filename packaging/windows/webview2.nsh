; Microsoft's runtime, which shows the program's window. Windows 11 has it, Windows 10 usually.

; Its id in the registry, given by Microsoft.
!define WEBVIEW2_KEY "Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"

; Sets $0 to 1 if it is installed, for this user or for all.
Function HasWebView2
  StrCpy $0 1
  ; The installer of the runtime is a 32-bit program.
  SetRegView 32
  ReadRegStr $1 HKLM "Software\${WEBVIEW2_KEY}" "pv"
  SetRegView lastused
  ${If} $1 != ""
  ${AndIf} $1 != "0.0.0.0"
    Return
  ${EndIf}
  ReadRegStr $1 HKCU "Software\${WEBVIEW2_KEY}" "pv"
  ${If} $1 != ""
  ${AndIf} $1 != "0.0.0.0"
    Return
  ${EndIf}
  StrCpy $0 0
FunctionEnd

; Runs $1 and waits up to WEBVIEW2_SECONDS, then ends it. Sets $2 to its exit code, `timeout`, or `error` if it does not
; start. NSIS can wait, but not with a limit.
Function RunBounded
  StrCpy $2 "error"
  ; STARTUPINFO and PROCESS_INFORMATION of 64-bit systems.
  System::Alloc 104
  Pop $3
  System::Call '*$3(i 104)'
  System::Alloc 24
  Pop $4
  System::Call 'kernel32::CreateProcess(p 0, t r1, p 0, p 0, i 0, i 0, p 0, p 0, p r3, p r4) i.r0'
  ${If} $0 <> 0
    System::Call '*$4(p.r5, p.r6)'
    IntOp $7 ${WEBVIEW2_SECONDS} * 1000
    System::Call 'kernel32::WaitForSingleObject(p r5, i r7) i.r0'
    ${If} $0 = 0
      System::Call 'kernel32::GetExitCodeProcess(p r5, *i.r2)'
    ${Else}
      StrCpy $2 "timeout"
      System::Call 'kernel32::TerminateProcess(p r5, i 1)'
      ; Its file can be deleted only after its end.
      System::Call 'kernel32::WaitForSingleObject(p r5, i 5000)'
    ${EndIf}
    System::Call 'kernel32::CloseHandle(p r5)'
    System::Call 'kernel32::CloseHandle(p r6)'
  ${EndIf}
  System::Free $3
  System::Free $4
FunctionEnd

; Installs it if it is missing; ends the installation if that fails.
Function EnsureWebView2
  ${Do}
    Call HasWebView2
    ${If} $0 = 1
      Return
    ${EndIf}
    InitPluginsDir
    File "/oname=$PLUGINSDIR\WebView2.exe" "${WEBVIEW2}"
    DetailPrint "$(WebView2)"
    StrCpy $1 '"$PLUGINSDIR\WebView2.exe" /silent /install'
    Call RunBounded
    ; It may report an error although another installer of it was faster.
    Call HasWebView2
    ${If} $0 = 1
    ${OrIf} $2 == "0"
      Return
    ${EndIf}
    ${If} $2 == "timeout"
      StrCpy $3 ${WEBVIEW2_HUNG}
      StrCpy $4 "$(WebView2Hung)"
    ${Else}
      StrCpy $3 ${WEBVIEW2_FAILED}
      StrCpy $4 "$(WebView2Failed)"
    ${EndIf}
    ${If} $Unattended = 0
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION $4 IDRETRY again
    ${EndIf}
    SetErrorLevel $3
    Quit
    again:
  ${Loop}
FunctionEnd
