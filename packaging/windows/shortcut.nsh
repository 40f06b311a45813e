; Writes the entry of the start menu, with the program's id: without it Windows shows no notification of the program.
; NSIS has no command for the id, so this calls the system (docs: "AppUserModelIDs"). If that fails, the entry is there
; without the id.
Function WriteShortcut
  CreateShortcut "${SHORTCUT}" "$INSTDIR\${PROGRAM}"
  !insertmacro ComHlpr_CreateInProcInstance ${CLSID_ShellLink} ${IID_IShellLink} r0 ""
  ${If} $0 P<> 0
    ${IUnknown::QueryInterface} $0 '("${IID_IPersistFile}",.r1)'
    ${If} $1 P<> 0
      ${IPersistFile::Load} $1 '("${SHORTCUT}", ${STGM_READWRITE})'
      ${IUnknown::QueryInterface} $0 '("${IID_IPropertyStore}",.r2)'
      ${If} $2 P<> 0
        System::Call '*(&t64 "${ID}")p.r3'
        System::Call '*${SYSSTRUCT_PROPERTYKEY}(${PKEY_AppUserModel_ID})p.r4'
        System::Call '*(&i2 ${VT_LPWSTR}, &i6 0, p r3, p 0)p.r5'
        ${IPropertyStore::SetValue} $2 '(r4, r5)'
        ${IPropertyStore::Commit} $2 ""
        ${IPersistFile::Save} $1 '("${SHORTCUT}", 1)'
        System::Free $3
        System::Free $4
        System::Free $5
        ${IUnknown::Release} $2 ""
      ${EndIf}
      ${IUnknown::Release} $1 ""
    ${EndIf}
    ${IUnknown::Release} $0 ""
  ${EndIf}
FunctionEnd
