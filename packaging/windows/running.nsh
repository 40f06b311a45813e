; Waits until the program in the file $0 is closed. Windows lets nobody write to the file of a running program.
; A person is asked to close it. Without one, waits up to RUNNING_SECONDS, then ends with RUNNING.
!macro WAIT_UNTIL_CLOSED UN
Function ${UN}WaitUntilClosed
  IntOp $1 ${RUNNING_SECONDS} * 4
  ${Do}
    ; Opening would create a missing file.
    ${IfNot} ${FileExists} $0
      Return
    ${EndIf}
    ClearErrors
    FileOpen $2 $0 a
    ${IfNot} ${Errors}
      FileClose $2
      Return
    ${EndIf}
    ${If} $Unattended = 0
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" IDRETRY again
      SetErrorLevel ${RUNNING}
      Quit
      again:
    ${Else}
      ${If} $1 <= 0
        SetErrorLevel ${RUNNING}
        Quit
      ${EndIf}
      IntOp $1 $1 - 1
      Sleep 250
    ${EndIf}
  ${Loop}
FunctionEnd
!macroend
