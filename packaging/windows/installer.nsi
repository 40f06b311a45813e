; The installer for Windows, compiled by `cargo xtask package setup` (packaging/src/windows). It installs for one user
; and needs no administrator.
;
;   setup.exe            asks
;   setup.exe /S         is silent
;   setup.exe /P         shows the progress and asks nothing
;   setup.exe /S /R      the same, then starts the program; also with /P
;   setup.exe /D=C:\X Y  sets the folder; must be the last argument, without quotation marks
;
; Exit codes. Except after 0 and 2, the installed program is as it was.
;   0  installed
;   1  cancelled by a person
;   2  a file could not be written; run the installer again
;   3  the program was running until the end of the wait, or a person cancelled at that question
;   4  a newer version is installed
;   5  WebView2 is missing and its installer failed
;   6  WebView2 is missing and its installer did not end in time
;   7  Windows is too old
;   8  the folder holds the program's data
;
; The uninstaller copies itself elsewhere and ends at once with 0. With `/S _?=FOLDER` it runs in place, ends with 0, 1
; or 3, and leaves itself and the folder.
;
; Neither ever writes or deletes in the data folder, and neither ends a running program.
;
; Given on the command line: VERSION, OUT, FILES (folder of the files to install), LIST (file with the macro
; EACH_FILE), LISTED (name of the list that is installed with them), SIZE (KB), ICON, BITMAP, WEBVIEW2 (its installer),
; RUNNING_SECONDS and WEBVIEW2_SECONDS (limits of waits), SIGN (optional: a program that signs a file in place).

Unicode true
Target amd64-unicode
; Not solid: whoever has WebView2 need not unpack its installer.
SetCompressor lzma
; File times would differ from build to build.
SetDateSave off
RequestExecutionLevel user
ManifestDPIAware true
ManifestSupportedOS Win10
AllowSkipFiles off
BrandingText " "
Name "Proxytill"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Proxytill"
!ifdef SIGN
  !uninstfinalize '"${SIGN}" "%1"' = 0
  !finalize '"${SIGN}" "%1"' = 0
!endif

!define ID "app.proxytill.Proxytill"
!define PROGRAM "Proxytill.exe"
!define UNINSTALLER "Uninstall.exe"
!define SHORTCUT "$SMPROGRAMS\Proxytill.lnk"
!define DATA "$LOCALAPPDATA\${ID}"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${ID}"
; Windows 10, version 1809.
!define OLDEST_BUILD 17763

!define FAILED 2
!define RUNNING 3
!define NEWER 4
!define WEBVIEW2_FAILED 5
!define WEBVIEW2_HUNG 6
!define OLD_WINDOWS 7
!define DATA_FOLDER 8

VIProductVersion "${VERSION}.0"
VIFileVersion "${VERSION}.0"
!macro VERSION_RESOURCE LANGUAGE
  VIAddVersionKey /LANG=${LANGUAGE} "ProductName" "Proxytill"
  VIAddVersionKey /LANG=${LANGUAGE} "FileDescription" "Proxytill Setup"
  VIAddVersionKey /LANG=${LANGUAGE} "CompanyName" "Proxytill"
  VIAddVersionKey /LANG=${LANGUAGE} "LegalCopyright" "MIT OR Apache-2.0"
  VIAddVersionKey /LANG=${LANGUAGE} "FileVersion" "${VERSION}"
  VIAddVersionKey /LANG=${LANGUAGE} "ProductVersion" "${VERSION}"
!macroend
!insertmacro VERSION_RESOURCE 1033

!include "FileFunc.nsh"
!include "LogicLib.nsh"
!include "MUI2.nsh"
!include "TextFunc.nsh"
!include "WinVer.nsh"
!include "WordFunc.nsh"
!include "Win\COM.nsh"
!include "Win\Propkey.nsh"
!include "${LIST}"

; Folder of the version that is installed, or nothing.
Var Earlier
; Whether questions are answered by waiting and ending: silent or passive.
Var Unattended

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_WELCOMEFINISHPAGE_BITMAP "${BITMAP}"
!define MUI_UNWELCOMEFINISHPAGE_BITMAP "${BITMAP}"
; Its place has another shape in each language.
!define MUI_WELCOMEFINISHPAGE_BITMAP_STRETCH NoStretchNoCrop
!define MUI_UNWELCOMEFINISHPAGE_BITMAP_STRETCH NoStretchNoCrop

!define MUI_PAGE_CUSTOMFUNCTION_PRE SkipUnattended
!define MUI_WELCOMEPAGE_TITLE "$(WelcomeTitle)"
!define MUI_WELCOMEPAGE_TEXT "$(WelcomeText)"
!insertmacro MUI_PAGE_WELCOME
!define MUI_PAGE_CUSTOMFUNCTION_PRE SkipUnattended
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE RefuseDataFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_PAGE_CUSTOMFUNCTION_PRE SkipUnattended
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"
!insertmacro MUI_PAGE_FINISH

!define MUI_UNCONFIRMPAGE_TEXT_TOP "$(UninstallText)"
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!define MUI_FINISHPAGE_TEXT "$(DataStay)"
!define MUI_FINISHPAGE_TEXT_LARGE
!insertmacro MUI_UNPAGE_FINISH

; The first language is that of systems with a third one.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"
!include "words.nsh"

; Shows a message, then ends with a code; without a person, ends at once.
!macro END CODE WORDS
  ${If} $Unattended = 0
    MessageBox MB_OK|MB_ICONSTOP "${WORDS}"
  ${EndIf}
  SetErrorLevel ${CODE}
  Quit
!macroend

!include "running.nsh"
!insertmacro WAIT_UNTIL_CLOSED ""
!insertmacro WAIT_UNTIL_CLOSED "un."
!include "webview2.nsh"
!include "shortcut.nsh"

Function .onInit
  StrCpy $Unattended 0
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/P" $1
  ${IfNot} ${Errors}
    StrCpy $Unattended 1
    SetAutoClose true
  ${EndIf}
  ${If} ${Silent}
    StrCpy $Unattended 1
  ${EndIf}
  ${IfNot} ${AtLeastWin10}
  ${OrIfNot} ${AtLeastBuild} ${OLDEST_BUILD}
    !insertmacro END ${OLD_WINDOWS} "$(OldWindows)"
  ${EndIf}
  ; An entry whose program was deleted by hand counts for nothing.
  ReadRegStr $Earlier HKCU "${UNINSTALL_KEY}" "InstallLocation"
  ${If} $Earlier != ""
  ${AndIfNot} ${FileExists} "$Earlier\${PROGRAM}"
    StrCpy $Earlier ""
  ${EndIf}
  ${If} $Earlier != ""
    ReadRegStr $0 HKCU "${UNINSTALL_KEY}" "DisplayVersion"
    ${VersionCompare} $0 "${VERSION}" $1
    ${If} $1 = 1
      !insertmacro END ${NEWER} "$(Newer)"
    ${EndIf}
    ; Stay in the same folder, unless /D names another.
    ${If} $INSTDIR == "$LOCALAPPDATA\Programs\Proxytill"
      StrCpy $INSTDIR $Earlier
    ${EndIf}
  ${EndIf}
FunctionEnd

Function SkipUnattended
  ${If} $Unattended = 1
    Abort
  ${EndIf}
FunctionEnd

; Sets $0 to whether the chosen folder is the data folder or inside it.
Function IsDataFolder
  StrLen $1 "${DATA}\"
  StrCpy $2 "$INSTDIR\" $1
  ${If} $2 == "${DATA}\"
    StrCpy $0 1
  ${Else}
    StrCpy $0 0
  ${EndIf}
FunctionEnd

Function RefuseDataFolder
  Call IsDataFolder
  ${If} $0 = 1
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(DataFolder)"
    Abort
  ${EndIf}
FunctionEnd

; Writes a file beside its place.
!macro PUT FILE
  File "${FILES}/${FILE}"
!macroend

; Moves a file to its place. A virus scanner may hold either for a moment.
!macro MOVE FILE
  StrCpy $0 "${FILE}"
  Call MoveFile
!macroend
Function MoveFile
  ${For} $1 1 20
    ClearErrors
    Delete "$INSTDIR\$0"
    Rename "$INSTDIR\new\$0" "$INSTDIR\$0"
    ${IfNot} ${Errors}
      Return
    ${EndIf}
    Sleep 250
  ${Next}
  !insertmacro END ${FAILED} "$(Failed)"
FunctionEnd

!macro DROP FILE
  Delete "$INSTDIR\${FILE}"
  Delete "$INSTDIR\new\${FILE}"
!macroend

; Sets $3 to 1 if $2 is a file of this version.
!macro IS_ONE FILE
  ${If} $2 == "${FILE}"
    StrCpy $3 1
  ${EndIf}
!macroend

; Deletes the files of the earlier version that this one does not replace: all, if it was in another folder.
Function DropEarlier
  ClearErrors
  FileOpen $0 "$PLUGINSDIR\earlier" r
  ${If} ${Errors}
    Return
  ${EndIf}
  ${Do}
    FileRead $0 $1
    ${If} ${Errors}
      ${ExitDo}
    ${EndIf}
    ${TrimNewLines} $1 $2
    ; A name alone: the list is a file that others may have changed.
    ${WordFind} "$2" "\" "E+1{" $4
    ${IfNot} ${Errors}
      ${Continue}
    ${EndIf}
    ${WordFind} "$2" "/" "E+1{" $4
    ${IfNot} ${Errors}
      ${Continue}
    ${EndIf}
    ; Delete would treat these as wildcards.
    ${WordFind} "$2" "*" "E+1{" $4
    ${IfNot} ${Errors}
      ${Continue}
    ${EndIf}
    ${WordFind} "$2" "?" "E+1{" $4
    ${IfNot} ${Errors}
      ${Continue}
    ${EndIf}
    ClearErrors
    StrCpy $3 0
    ${If} $Earlier == $INSTDIR
      !insertmacro EACH_FILE IS_ONE
      !insertmacro IS_ONE "${UNINSTALLER}"
    ${EndIf}
    ${If} $3 = 0
    ${AndIf} $2 != ""
      Delete "$Earlier\$2"
      ClearErrors
    ${EndIf}
  ${Loop}
  FileClose $0
  ${If} $Earlier != $INSTDIR
    Delete "$Earlier\${UNINSTALLER}"
    RMDir "$Earlier"
  ${EndIf}
FunctionEnd

Section
  Call IsDataFolder
  ${If} $0 = 1
    !insertmacro END ${DATA_FOLDER} "$(DataFolder)"
  ${EndIf}
  Call EnsureWebView2
  StrCpy $0 "$INSTDIR\${PROGRAM}"
  Call WaitUntilClosed
  ${If} $Earlier != ""
    StrCpy $0 "$Earlier\${PROGRAM}"
    Call WaitUntilClosed
    InitPluginsDir
    CopyFiles /SILENT "$Earlier\${LISTED}" "$PLUGINSDIR\earlier"
  ${EndIf}
  ; If the disk is full, the installed version is still whole.
  SetOutPath "$INSTDIR\new"
  !insertmacro EACH_FILE PUT
  ClearErrors
  WriteUninstaller "$INSTDIR\new\${UNINSTALLER}"
  ${If} ${Errors}
    StrCpy $0 "${UNINSTALLER}"
    !insertmacro END ${FAILED} "$(Failed)"
  ${EndIf}
  SetOutPath "$INSTDIR"
  !insertmacro EACH_FILE MOVE
  !insertmacro MOVE "${UNINSTALLER}"
  RMDir "$INSTDIR\new"
  Call DropEarlier
  Call WriteShortcut
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "Proxytill"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "Proxytill"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\${PROGRAM}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\${UNINSTALLER}"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\${UNINSTALLER}" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${SIZE}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  ${If} $Unattended = 1
    ${GetParameters} $0
    ClearErrors
    ${GetOptions} $0 "/R" $1
    ${IfNot} ${Errors}
      Exec '"$INSTDIR\${PROGRAM}"'
    ${EndIf}
  ${EndIf}
SectionEnd

Function un.onInit
  StrCpy $Unattended 0
  ${If} ${Silent}
    StrCpy $Unattended 1
  ${EndIf}
FunctionEnd

Section "Uninstall"
  StrCpy $0 "$INSTDIR\${PROGRAM}"
  Call un.WaitUntilClosed
  !insertmacro EACH_FILE DROP
  !insertmacro DROP "${UNINSTALLER}"
  RMDir "$INSTDIR\new"
  ; Only if it is empty: a person's own files stay.
  RMDir "$INSTDIR"
  Delete "${SHORTCUT}"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
SectionEnd
