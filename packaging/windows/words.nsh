; Every sentence of our own in both languages. `$\n` ends a line.

!macro WORDS NAME ENGLISH CHINESE
  LangString ${NAME} ${LANG_ENGLISH} "${ENGLISH}"
  LangString ${NAME} ${LANG_SIMPCHINESE} "${CHINESE}"
!macroend

!insertmacro WORDS WelcomeTitle "Install Proxytill ${VERSION}" "安装 Proxytill ${VERSION}"
!insertmacro WORDS WelcomeText \
  "Proxytill will be installed for you alone. No administrator is needed.$\n$\nIf an earlier version is installed, it will be replaced. Your orders and settings stay as they are." \
  "Proxytill 将只为您安装，不需要管理员权限。$\n$\n如果已安装旧版本，将替换旧版本。您的订单和设置保持不变。"
!insertmacro WORDS Running \
  "Proxytill is running. Close it, then choose Retry. Nothing has been changed." \
  "Proxytill 正在运行。请先将其关闭，再点击“重试”。目前没有做任何更改。"
!insertmacro WORDS Newer \
  "Version $0 of Proxytill is installed. This installer has the older version ${VERSION}, which cannot read the data of newer ones. Nothing was changed." \
  "已安装 Proxytill $0。此安装程序是较旧的版本 ${VERSION}，无法读取新版本的数据。没有做任何更改。"
!insertmacro WORDS OldWindows \
  "Proxytill needs Windows 10, version 1809, or newer. Nothing was changed." \
  "Proxytill 需要 Windows 10（版本 1809）或更高版本。没有做任何更改。"
!insertmacro WORDS DataFolder \
  "This folder holds the data of Proxytill. Choose another one." \
  "此文件夹用于存放 Proxytill 的数据，请选择其他文件夹。"
!insertmacro WORDS Failed \
  "$0 could not be written. Close programs that may use it, see whether the disk is full, then run the installer again." \
  "无法写入 $0。请关闭可能正在使用该文件的程序，检查磁盘空间是否充足，然后重新运行安装程序。"
!insertmacro WORDS WebView2 \
  "Installing Microsoft Edge WebView2. This can take several minutes." \
  "正在安装 Microsoft Edge WebView2，可能需要几分钟。"
!insertmacro WORDS WebView2Failed \
  "Proxytill needs Microsoft Edge WebView2, which could not be installed ($2). See whether this computer is connected to the internet, then choose Retry. Without internet, use the offline installer of Proxytill." \
  "Proxytill 需要 Microsoft Edge WebView2，但未能安装（$2）。请检查网络连接，再点击“重试”。如果没有网络，请使用 Proxytill 的离线安装程序。"
!insertmacro WORDS WebView2Hung \
  "Proxytill needs Microsoft Edge WebView2, whose installation took too long and was stopped. Choose Retry to try again, or use the offline installer of Proxytill." \
  "Proxytill 需要 Microsoft Edge WebView2，但其安装时间过长，已被停止。请点击“重试”，或使用 Proxytill 的离线安装程序。"
!insertmacro WORDS UninstallText \
  "Proxytill will be removed from this computer. Your orders and settings stay." \
  "将从此计算机中删除 Proxytill。您的订单和设置会保留。"
!insertmacro WORDS DataStay \
  "Proxytill has been removed.$\n$\nYour orders and settings are still in$\n${DATA}$\n$\nYour tokens are still in Windows' Credential Manager. If you install Proxytill again, everything is there." \
  "Proxytill 已删除。$\n$\n您的订单和设置仍保留在$\n${DATA}$\n$\n令牌仍保存在 Windows 凭据管理器中。重新安装 Proxytill 后即可继续使用。"
